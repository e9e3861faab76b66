# SPDX-License-Identifier: Apache-2.0
# Whole-system runs: kernels and random programs on the timed SM beside the oracle, bad input through the program, and
# mutants of the SM that these must kill.
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

add_library(heddle_random_programs STATIC ${CMAKE_CURRENT_LIST_DIR}/affine_points.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/mechanism_runs.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/prediction_programs.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/profile_sums.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/random_affine.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/random_exits.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/random_marks.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/random_opcodes.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/random_program.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/random_program_campaign.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/random_traps.cpp)
target_link_libraries(heddle_random_programs PUBLIC heddle_run nlohmann_json::nlohmann_json PRIVATE heddle_options)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/affine_points.cpp HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}"
              HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# What scripts/fuzz runs.
add_executable(random_programs ${CMAKE_CURRENT_LIST_DIR}/random_programs.cpp)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/random_programs.cpp HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}"
              HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(random_programs PRIVATE heddle_random_programs CLI11::CLI11 heddle_options)
add_dependencies(random_programs all_slices)

function(heddle_system_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LINK;DEFINE;NEEDS;APART")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_system_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target system_${name}_test)
  add_executable(${target} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${target}.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  heddle_boost_test(${target} ${arg_LINK})
  heddle_places(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${target}.cpp HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels" ${arg_DEFINE})
  add_dependencies(${target} all_slices ${arg_NEEDS})
  set(tests system.${name})
  list(TRANSFORM arg_APART PREPEND "--run_test=!" OUTPUT_VARIABLE others)
  add_test(NAME system.${name} COMMAND ${target} ${others})
  foreach(case ${arg_APART})
    add_test(NAME system.${name}.${case} COMMAND ${target} --run_test=${case})
    list(APPEND tests system.${name}.${case})
  endforeach()
  set_tests_properties(${tests} PROPERTIES TIMEOUT ${arg_TIMEOUT} PROCESSORS 2)  # most run two children at once
endfunction()

heddle_system_test(random_programs TIMEOUT 1800 LINK heddle_random_programs
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs"
                   APART warp_subdivision_equals_the_oracle convergence_barriers_equal_the_oracle
                         predictions_equal_the_oracle the_constrained_scheduler_equals_the_oracle
                         the_optimistic_scoreboard_equals_the_oracle barrel_processing_equals_the_oracle
                         warp_formation_equals_the_oracle mimd_equals_the_oracle
                         every_integer_opcode_and_functions_equal_the_oracle)
heddle_system_test(affine_programs TIMEOUT 1800 LINK heddle_random_programs
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs")
heddle_system_test(affine_exits TIMEOUT 120 LINK heddle_random_programs
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx")
heddle_system_test(random_exits TIMEOUT 5400 LINK heddle_random_programs
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs")
heddle_system_test(clock_gate TIMEOUT 900 LINK heddle_run heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx" NEEDS heddle_kernel_ptx)
heddle_system_test(sms TIMEOUT 5400 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx" NEEDS heddle_kernel_ptx)
# Outcomes of a few threads on a few words, against PTX's memory model.
add_library(heddle_litmus STATIC ${CMAKE_CURRENT_LIST_DIR}/litmus_program.cpp ${CMAKE_CURRENT_LIST_DIR}/litmus_runs.cpp)
target_link_libraries(heddle_litmus PUBLIC heddle_run PRIVATE heddle_options)
heddle_system_test(litmus TIMEOUT 14400 LINK heddle_litmus
                   DEFINE HEDDLE_LITMUS="${CMAKE_CURRENT_LIST_DIR}/litmus" HEDDLE_TEST_OUTPUT="${CMAKE_CURRENT_BINARY_DIR}"
                          HEDDLE_LITMUS_PAGE="${CMAKE_CURRENT_LIST_DIR}/litmus/README.md")
heddle_system_test(software_stack TIMEOUT 120 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs"
                          HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx")
heddle_system_test(memory_splits TIMEOUT 300 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx"
                          HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs" NEEDS heddle_kernel_ptx)
heddle_system_test(profile TIMEOUT 300 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx" HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels"
                   NEEDS heddle_kernel_ptx)
heddle_system_test(prefetch TIMEOUT 300 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(instruction_cache TIMEOUT 300 LINK heddle_run heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(constant_cache TIMEOUT 120 LINK heddle_run)
heddle_system_test(line_size TIMEOUT 120 LINK heddle_run heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(limit TIMEOUT 300 LINK heddle_run heddle_kernels heddle_limit NEEDS heddle_kernel_ptx)
heddle_system_test(trap_sides TIMEOUT 120 LINK heddle_random_programs
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx")
heddle_system_test(ended_runs TIMEOUT 120 LINK heddle_space_cases heddle_random_programs)
find_program(HEDDLE_VALGRIND valgrind)
if(HEDDLE_VALGRIND AND NOT HEDDLE_SANITIZE)
  add_test(NAME system.ended_runs_in_valgrind
           COMMAND ${HEDDLE_VALGRIND} -q --error-limit=no --error-exitcode=99 $<TARGET_FILE:system_ended_runs_test>)
  set_tests_properties(system.ended_runs_in_valgrind PROPERTIES TIMEOUT 900 PROCESSORS 2 ENVIRONMENT HEDDLE_IN_VALGRIND=1)
endif()
heddle_system_test(shared_order TIMEOUT 120 LINK heddle_random_programs
                   DEFINE HEDDLE_NVCC="${HEDDLE_NVCC}" HEDDLE_NVCC_ARCHITECTURE="${HEDDLE_NVCC_ARCHITECTURE}"
                          HEDDLE_CUDA_HEADER="${PROJECT_SOURCE_DIR}/kernels/cuda_device.h"
                          HEDDLE_SHARED_ORDER="${CMAKE_CURRENT_LIST_DIR}/shared_order.cu"
                   NEEDS shared_order_O0 shared_order_O1 shared_order_O2 shared_order_O3)
heddle_system_test(carries TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(soft_barrier TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(predictions TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(predicted_kernels TIMEOUT 900 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(calls TIMEOUT 180 LINK heddle_random_programs)
add_library(heddle_space_cases STATIC ${CMAKE_CURRENT_LIST_DIR}/space_cases.cpp)
target_link_libraries(heddle_space_cases PUBLIC heddle_run PRIVATE heddle_options)
target_compile_definitions(heddle_space_cases PRIVATE HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels")
add_dependencies(heddle_space_cases clang_opcodes_O0 clang_spaces_O0 clang_spaces_O2)
heddle_system_test(spaces TIMEOUT 120 LINK heddle_space_cases heddle_random_programs)
heddle_system_test(error_codes TIMEOUT 120 LINK heddle_space_cases heddle_random_programs)
heddle_system_test(textures TIMEOUT 180 LINK heddle_texture_cases heddle_random_programs)
heddle_system_test(threads TIMEOUT 60 LINK heddle_sm)
add_executable(affine_tags_test ${CMAKE_CURRENT_LIST_DIR}/affine_tags_test.cpp)
target_include_directories(affine_tags_test PRIVATE ${PROJECT_SOURCE_DIR})
heddle_boost_test(affine_tags_test heddle_sm)
add_test(NAME sm.affine_tags COMMAND affine_tags_test)
set_tests_properties(sm.affine_tags PROPERTIES TIMEOUT 30)
# The affine unit of the SM, with warps that only dequeue.
add_executable(affine_unit_test ${CMAKE_CURRENT_LIST_DIR}/affine_unit_test.cpp ${CMAKE_CURRENT_LIST_DIR}/affine_streams.cpp)
heddle_boost_test(affine_unit_test heddle_sm)
add_dependencies(affine_unit_test all_slices)
add_test(NAME sm.affine_unit COMMAND affine_unit_test)
set_tests_properties(sm.affine_unit PROPERTIES TIMEOUT 300)
heddle_system_test(warp_wide TIMEOUT 120 LINK heddle_random_programs)
target_sources(system_warp_wide_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/warp_wide_programs.cpp)
heddle_system_test(compiled_functions TIMEOUT 300 LINK heddle_random_programs
                   DEFINE HEDDLE_SOURCE="${PROJECT_SOURCE_DIR}" HEDDLE_NVCC="${HEDDLE_NVCC}"
                          HEDDLE_NVCC_ARCHITECTURE="${HEDDLE_NVCC_ARCHITECTURE}"
                   NEEDS compiled_functions_O1 compiled_functions_O3)
heddle_system_test(console TIMEOUT 120 LINK heddle_random_programs
                   DEFINE HEDDLE_SOURCE="${PROJECT_SOURCE_DIR}" HEDDLE_NVCC="${HEDDLE_NVCC}"
                          HEDDLE_NVCC_ARCHITECTURE="${HEDDLE_NVCC_ARCHITECTURE}"
                   NEEDS console_O3)
heddle_program_test(gpu_arguments_test TIMEOUT 30 LINK heddle_run)
heddle_program_test(gpu_timeline_test TIMEOUT 30 LINK heddle_gpu)
heddle_system_test(kernels TIMEOUT 900 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx" NEEDS heddle_kernel_ptx)
heddle_system_test(barrel TIMEOUT 900 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx" NEEDS heddle_kernel_ptx)
heddle_system_test(formation TIMEOUT 5400 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx" NEEDS heddle_kernel_ptx)
heddle_system_test(twin TIMEOUT 1200 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}"
                   NEEDS heddle_kernel_ptx)
# A block beside its twin, as a library that the SM would load.
add_executable(twin_affine_expansion_test ${CMAKE_CURRENT_LIST_DIR}/twin_affine_expansion_test.cpp)
target_include_directories(twin_affine_expansion_test PRIVATE ${PROJECT_SOURCE_DIR})
heddle_boost_test(twin_affine_expansion_test heddle_sm)
target_compile_definitions(twin_affine_expansion_test PRIVATE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                              HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}")
add_test(NAME twin_affine_expansion_test COMMAND twin_affine_expansion_test)
set_tests_properties(twin_affine_expansion_test PROPERTIES TIMEOUT 600)  # compiles the twins where that was not done

heddle_system_test(mimd TIMEOUT 900 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx" NEEDS heddle_kernel_ptx)
heddle_system_test(affine TIMEOUT 5400 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx"
                          HEDDLE_TEST_OUTPUT="${CMAKE_CURRENT_BINARY_DIR}" NEEDS heddle_kernel_ptx)
heddle_system_test(affine_lanes TIMEOUT 1800 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx"
                          HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs" NEEDS heddle_kernel_ptx)
foreach(test sms formation mimd affine affine_lanes)
  target_sources(system_${test}_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/kernel_runs.cpp)
endforeach()
heddle_system_test(spills TIMEOUT 120 LINK heddle_random_programs
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx")
heddle_system_test(kernel_suite TIMEOUT 2700 LINK heddle_run heddle_kernels nlohmann_json::nlohmann_json
                   DEFINE HEDDLE_STATISTICS_FILE="${PROJECT_SOURCE_DIR}/kernels/statistics.json" NEEDS heddle_kernel_ptx)
heddle_system_test(constructs TIMEOUT 300 LINK heddle_run
                   DEFINE HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx"
                          HEDDLE_README="${PROJECT_SOURCE_DIR}/sim/sm/README.md")
heddle_system_test(divergence TIMEOUT 900 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(listing TIMEOUT 60 LINK heddle_report
                   DEFINE HEDDLE_PROGRAM="$<TARGET_FILE:heddle>" HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx"
                   NEEDS heddle heddle_kernel_ptx)
heddle_system_test(bad_input TIMEOUT 1200 LINK heddle_gpu_api DEFINE HEDDLE_PROGRAM="$<TARGET_FILE:heddle>"
                   NEEDS heddle heddle_kernel_ptx heddle_kernel_ptx_O0)

# What a person types as a number, and the end of a run by a person.
add_test(NAME system.numeric_options
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/numeric_options --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.numeric_options PROPERTIES TIMEOUT 600)
add_test(NAME system.progress_and_interrupts
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/progress_and_interrupts --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.progress_and_interrupts PROPERTIES TIMEOUT 300)

# Worked examples as PTX in the SM, where a block must go through the states that it has in its own bench.
add_test(NAME system.stories COMMAND ${PROJECT_SOURCE_DIR}/scripts/stories --check --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.stories PROPERTIES TIMEOUT 300)

# Figures of DAC as PTX in the SM: tuples, lines and addresses, from waveforms.
add_test(NAME system.dac_figures
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/dac_figures --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.dac_figures PROPERTIES TIMEOUT 120)

# The page of heddle report, as text and in a browser; and --timeline, which it draws.
add_test(NAME system.report
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/report --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.report PROPERTIES TIMEOUT 300)

# A kernel of a newcomer's own, from CUDA to profile.
add_test(NAME system.own_kernel
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/own_kernel --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.own_kernel PROPERTIES TIMEOUT 300)

# A block of a newcomer's own in the SM, in both languages: the commands of rtl/README.md.
add_test(NAME system.own_block COMMAND ${CMAKE_CURRENT_LIST_DIR}/own_block --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.own_block PROPERTIES TIMEOUT 600)

# A mechanism added to a clone: its folders and a line. Built and run there in a whole run (scripts/fuzz mechanism).
add_test(NAME system.new_mechanism
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/new_mechanism/check --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.new_mechanism PROPERTIES TIMEOUT 900)

# What bfs did to the blocks, replayed on SystemC, twin, model, gates and a file of one's own.
add_test(NAME system.replay
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/replay --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.replay PROPERTIES TIMEOUT 1200)

# Failures of many kinds leave the waveform of their last cycles.
add_test(NAME system.flight_recorder
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/flight_recorder --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.flight_recorder PROPERTIES TIMEOUT 600)

# Waveforms that begin and end with a line, a CTA or a warp.
add_test(NAME system.trace_moments
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/trace_moments --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.trace_moments PROPERTIES TIMEOUT 300)

# Which rules of the blocks programs reach.
add_test(NAME system.rules COMMAND ${CMAKE_CURRENT_LIST_DIR}/rules --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.rules PROPERTIES TIMEOUT 900)

# A stack or a scheduler with a fault in the SM: does --compare see it?
add_test(NAME system.twin_mutants
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/twin_mutants --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.twin_mutants PROPERTIES TIMEOUT 900)

# A memory of a newcomer's own below the L1s, in place of L2 and DRAM.
add_executable(own_memory ${CMAKE_CURRENT_LIST_DIR}/own_memory/own_memory.cpp)
target_include_directories(own_memory PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(own_memory PRIVATE HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels")
target_link_libraries(own_memory PRIVATE heddle_run heddle_kernels heddle_options)
add_dependencies(own_memory default_slice heddle_kernel_ptx)
add_test(NAME system.own_memory COMMAND own_memory vector_add histogram bfs)
set_tests_properties(system.own_memory PROPERTIES TIMEOUT 120 PROCESSORS 2)

# What a run records of its memory traffic, played into that memory and others.
add_test(NAME system.memory_traffic COMMAND ${CMAKE_CURRENT_LIST_DIR}/memory_traffic --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.memory_traffic PROPERTIES TIMEOUT 180)

# A block in a project of somebody else's: the page's files and commands.
add_test(NAME system.use_a_block COMMAND ${CMAKE_CURRENT_LIST_DIR}/use_a_block --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.use_a_block PROPERTIES TIMEOUT 120)

# The same, exported: one block with a clock and one without, in both languages.
add_test(NAME system.export_a_block
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/export_a_block --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.export_a_block PROPERTIES TIMEOUT 300)

# What the descriptions of control flow units say, and how a wrong one is refused.
add_test(NAME system.unit_descriptions
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/unit_descriptions --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.unit_descriptions PROPERTIES TIMEOUT 120)

# What is installed, missing and broken, as a bug report begins.
add_test(NAME system.doctor COMMAND ${CMAKE_CURRENT_LIST_DIR}/doctor --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.doctor PROPERTIES TIMEOUT 300)

# The commit as a newcomer has it: a clone, the demo, and what README prints.
add_test(NAME system.newcomer COMMAND ${CMAKE_CURRENT_LIST_DIR}/newcomer --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.newcomer PROPERTIES TIMEOUT 1800 PROCESSORS 2 COST 100)
# A file that someone asks for in a folder that is not there.
add_test(NAME system.output_files
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/output_files --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.output_files PROPERTIES TIMEOUT 1200)

# What pages show as output is compared, and written anew.
add_test(NAME scripts.printed_outputs COMMAND ${CMAKE_CURRENT_LIST_DIR}/printed_outputs --root ${PROJECT_SOURCE_DIR})
set_tests_properties(scripts.printed_outputs PROPERTIES TIMEOUT 60)

# What pages and --help print for people to type.
add_test(NAME system.printed_commands
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/printed_commands --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.printed_commands PROPERTIES TIMEOUT 1200)

# A paper's evaluation: killed anywhere it loses nothing, and its page follows from its results.
add_test(NAME system.evaluate_resumes
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_resumes --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.evaluate_resumes PROPERTIES TIMEOUT 300 PROCESSORS 2)
add_test(NAME system.evaluate_page COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_page --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.evaluate_page PROPERTIES TIMEOUT 300)
# No run of a study may be faster than the machine allows; the committed results are held to it by studies.bounds.
add_test(NAME system.evaluate_bounds COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_bounds --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.evaluate_bounds PROPERTIES TIMEOUT 300)
add_test(NAME system.evaluate_formation
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_formation --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.evaluate_formation PROPERTIES TIMEOUT 300)
# Sweeps: of processes that have the same jobs each job is run by one, and killed anywhere nothing is lost or counts twice.
add_test(NAME system.sweep
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/sweep --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.sweep PROPERTIES TIMEOUT 300 PROCESSORS 2)
# ... and on a Slurm of one node, where one is installed (scripts/bootstrap slurm).
add_test(NAME system.sweep_slurm
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/sweep_slurm --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.sweep_slurm PROPERTIES TIMEOUT 600 PROCESSORS 2)
# The page follows from the results, and some of the runs, others each time, come out as they did.
file(GLOB results CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studies/*/results.json)
foreach(result IN LISTS results)
  cmake_path(GET result PARENT_PATH study)
  cmake_path(GET study FILENAME study)
  add_test(NAME studies.${study} COMMAND ${PROJECT_SOURCE_DIR}/scripts/evaluate ${study} --check --again 20)
  set_tests_properties(studies.${study} PROPERTIES TIMEOUT 300 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})
endforeach()

# Numbers of studies/all by other code, and conclusions that do not follow.
add_test(NAME system.all_figures COMMAND ${CMAKE_CURRENT_LIST_DIR}/all_figures --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.all_figures PROPERTIES TIMEOUT 120 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})

# The runs of the benchmark are runs that the program takes; their speed never decides a test.
add_test(NAME scripts.bench COMMAND ${PROJECT_SOURCE_DIR}/scripts/bench --check)
set_tests_properties(scripts.bench PROPERTIES TIMEOUT 300 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})

# Options that nobody would think of together: a few runs of the cover, chosen by HEDDLE_SEED; all of them: scripts/cover.
add_test(NAME system.cover COMMAND ${PROJECT_SOURCE_DIR}/scripts/cover --rows 6)
set_tests_properties(system.cover PROPERTIES TIMEOUT 900 PROCESSORS 2 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})

# Mutants of the SM: the runner is built once as it is (it must pass) and linked anew around each mutated object.
add_executable(system_mutant_runner ${CMAKE_CURRENT_LIST_DIR}/mutants/runner.cpp
                                     ${CMAKE_CURRENT_LIST_DIR}/prediction_programs.cpp)
target_link_libraries(system_mutant_runner PRIVATE heddle_random_programs heddle_space_cases heddle_litmus heddle_kernels
                                                   heddle_options)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/mutants/runner.cpp HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels"
              HEDDLE_PTX_SOURCES="${CMAKE_CURRENT_LIST_DIR}/ptx"
              HEDDLE_STATISTICS_FILE="${PROJECT_SOURCE_DIR}/kernels/statistics.json"
              HEDDLE_LITMUS="${CMAKE_CURRENT_LIST_DIR}/litmus" HEDDLE_TEST_OUTPUT="${CMAKE_CURRENT_BINARY_DIR}")
add_dependencies(system_mutant_runner all_slices heddle_kernel_ptx)
set(libraries heddle_random_programs heddle_space_cases heddle_litmus heddle_run heddle_gpu heddle_sm heddle_mechanisms heddle_lsu heddle_tlm heddle_matching heddle_gpu_api
              heddle_compiler heddle_ptx heddle_isa heddle_backing_store)
list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>")
add_test(NAME system.mutants
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/mutants/run_mutants ${CMAKE_CURRENT_LIST_DIR}/mutants/mutants.yaml
                 --root ${PROJECT_SOURCE_DIR} --commands ${CMAKE_BINARY_DIR}/compile_commands.json
                 --work ${CMAKE_BINARY_DIR}/mutants/system --runner $<TARGET_FILE:system_mutant_runner>
                 --link $<TARGET_OBJECTS:system_mutant_runner> $<TARGET_OBJECTS:heddle_kernels> ${libraries}
                 -Wl,--whole-archive $<TARGET_FILE:heddle_base> -Wl,--no-whole-archive -lsystemc -lfmt -lz -lpthread
         COMMAND_EXPAND_LISTS)
set_tests_properties(system.mutants PROPERTIES TIMEOUT 900 PROCESSORS 2 COST 100)
