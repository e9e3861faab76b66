# SPDX-License-Identifier: Apache-2.0
# What a SystemC synthesis tool refuses or gets wrong: not in rtl/, and found where it is.
add_test(NAME lint.synthesizable COMMAND ${PROJECT_SOURCE_DIR}/scripts/lint --synthesizable)
add_test(NAME lint.synthesizable_rules
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/synthesizable_rules --root ${PROJECT_SOURCE_DIR}
                 --compiler ${CMAKE_CXX_COMPILER})
set_tests_properties(lint.synthesizable lint.synthesizable_rules PROPERTIES TIMEOUT 60)
add_test(NAME lint.house COMMAND ${CMAKE_CURRENT_LIST_DIR}/house --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.house PROPERTIES TIMEOUT 60)
add_test(NAME lint.licence COMMAND ${CMAKE_CURRENT_LIST_DIR}/licence --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.licence PROPERTIES TIMEOUT 60)
# The compiler cache has what a clone in another folder compiles.
add_test(NAME lint.places COMMAND ${CMAKE_CURRENT_LIST_DIR}/places --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(lint.places PROPERTIES TIMEOUT 60)
add_test(NAME lint.words COMMAND ${CMAKE_CURRENT_LIST_DIR}/words)
set_tests_properties(lint.words PROPERTIES TIMEOUT 60)
# Longest processes, common names of block and twin, floors of sim/sm: none is worse than scripts/measures_known.json.
add_test(NAME lint.measures COMMAND ${CMAKE_CURRENT_LIST_DIR}/measures --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.measures PROPERTIES TIMEOUT 120)
# Each block with a bench has twin, page, properties, mutants, view and figures, where the others have theirs.
add_test(NAME lint.pieces COMMAND ${CMAKE_CURRENT_LIST_DIR}/pieces --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.pieces PROPERTIES TIMEOUT 60)
add_test(NAME lint.links COMMAND ${CMAKE_CURRENT_LIST_DIR}/links --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.links PROPERTIES TIMEOUT 60)
add_test(NAME lint.commits COMMAND ${CMAKE_CURRENT_LIST_DIR}/commits --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.commits PROPERTIES TIMEOUT 60)

# Arrows between the rooms of sim/compiler.
add_test(NAME lint.compiler_rooms COMMAND ${CMAKE_CURRENT_LIST_DIR}/compiler_rooms --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.compiler_rooms PROPERTIES TIMEOUT 30)

# Three small blocks as a synthesis tool reads them: the bench of each, compiled with __SC_TOOL__, and as it is.
function(heddle_tool_text name room)
  get_property(points GLOBAL PROPERTY HEDDLE_TWIN_POINTS_tb_${name}_tiny)
  list(JOIN points "," only)
  add_executable(tool_${name} ${PROJECT_SOURCE_DIR}/tb/${room}/${name}_tb.cpp)
  target_include_directories(tool_${name} PRIVATE ${CMAKE_BINARY_DIR}/declared/${name}/tiny)
  target_compile_definitions(tool_${name} PRIVATE __SC_TOOL__ HEDDLE_ONLY_POINTS="${only}")
  target_link_libraries(tool_${name} PRIVATE heddle_bench verilated_runtime)
  foreach(point ${points})
    target_link_libraries(tool_${name} PRIVATE twin_${name}_${point})
  endforeach()
  add_test(NAME lint.tool_text.${name}
           COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tool_text $<TARGET_FILE:tb_${name}_tiny>
                   $<TARGET_FILE:tool_${name}> --points ${points})
  set_tests_properties(lint.tool_text.${name} PROPERTIES TIMEOUT 120)
endfunction()
heddle_tool_text(issue_gate issue_gate)
heddle_tool_text(pc_warp_lut warp_formation/pc_warp_lut)
heddle_tool_text(warp_scheduler warp_scheduler)
