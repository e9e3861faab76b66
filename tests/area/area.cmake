# SPDX-License-Identifier: Apache-2.0
# The area model of RAMs and CAMs (area/model), and its README against what it computes.
add_test(NAME area.model
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/model --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.model PROPERTIES TIMEOUT 600)

# Cells of osu018: the figures that were measured on it, and its simulation models.
add_test(NAME area.technology COMMAND ${CMAKE_CURRENT_LIST_DIR}/technology)
set_tests_properties(area.technology PROPERTIES TIMEOUT 120)

# RAMs take their address at the edge; those that do not yet stand in a list that only shrinks.
add_test(NAME area.read_at_edge COMMAND ${CMAKE_CURRENT_LIST_DIR}/read_at_edge --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.read_at_edge PROPERTIES TIMEOUT 300)

# Bits, cells and longest path of every block against area/baseline.json. What a test <block>.gates has mapped is not
# mapped again.
add_test(NAME area.baseline COMMAND ${CMAKE_CURRENT_LIST_DIR}/baseline --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.baseline PROPERTIES TIMEOUT 1500 COST 100)

# Mutants: flops that nobody declared, of every block; a wrong gate in the netlist of one.
set(kit $<TARGET_FILE:heddle_bench> $<TARGET_FILE:heddle_base>)
set(runtime $<TARGET_FILE:verilated_runtime> -lsystemc -lfmt -lz -lpthread)
if(HEDDLE_SANITIZE)
  list(APPEND runtime -fsanitize=${HEDDLE_SANITIZE})
endif()
add_test(NAME area.hidden_flop
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/hidden_flop --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR}
                 --block dual_path_stack --link ${kit} $<TARGET_FILE:twin_dual_path_stack_tiny> ${runtime})
simt_program(dual_path_bench dual_path_stack tiny)
simt_other_twins(dual_path_twins dual_path_stack tiny)
add_test(NAME area.wrong_gate
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/gates dual_path_stack --build ${CMAKE_BINARY_DIR} --point tiny --mutant
                 --bench $<TARGET_OBJECTS:${dual_path_bench}> --cycles 3000
                 --header ${CMAKE_BINARY_DIR}/twins/Vdual_path_stack_tiny/Vdual_path_stack_tiny.h
                 --link ${kit} ${dual_path_twins} ${runtime}
         COMMAND_EXPAND_LISTS)
set_tests_properties(area.hidden_flop area.wrong_gate PROPERTIES TIMEOUT 900)

# Netlists in place of the blocks in the SM, and again in Icarus Verilog; a wrong gate is noticed in both.
add_test(NAME area.netlists COMMAND ${PROJECT_SOURCE_DIR}/scripts/netlist_run --energy --build ${CMAKE_BINARY_DIR})
add_test(NAME area.wrong_netlists COMMAND ${CMAKE_CURRENT_LIST_DIR}/netlists --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.netlists area.wrong_netlists PROPERTIES TIMEOUT 900 COST 60)

# The register file's four organisations: the table in its README is what the blocks say.
add_test(NAME area.register_files
         COMMAND ${PROJECT_SOURCE_DIR}/area/register_files --check --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.register_files PROPERTIES TIMEOUT 60)

# The page for reviewers is what it would be if it were written now.
add_test(NAME area.report COMMAND ${PROJECT_SOURCE_DIR}/scripts/area_report --check --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.report PROPERTIES TIMEOUT 1500)  # elaborates every point, once

# And the page of storage beside the papers.
add_test(NAME area.figures COMMAND ${PROJECT_SOURCE_DIR}/scripts/figures --storage --check)
set_tests_properties(area.figures PROPERTIES TIMEOUT 900)

# It has every block; a block without figures says why.
add_test(NAME area.every_block
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/every_block --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.every_block PROPERTIES TIMEOUT 30)

# scripts/synth: wrong words, and its JSON.
add_test(NAME area.synth
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/synth --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.synth PROPERTIES TIMEOUT 120)

# The smaller of two blocks placed and routed again, twice; unrouted nets and shorts are found where they are made.
add_test(NAME area.layout COMMAND ${CMAKE_CURRENT_LIST_DIR}/layout --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.layout PROPERTIES TIMEOUT 900)

# Rows of an earlier text are marked, and enter no plot, sum or conclusion.
add_test(NAME area.stale COMMAND ${CMAKE_CURRENT_LIST_DIR}/stale --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.stale PROPERTIES TIMEOUT 900)

# heddle area: rows at any design point, and its output for programs.
add_test(NAME area.storage
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/storage --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(area.storage PROPERTIES TIMEOUT 600)
