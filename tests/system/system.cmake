# SPDX-License-Identifier: Apache-2.0
# Whole-system runs: kernels and random programs on the timed SM beside the oracle, and bad input through the program.
function(heddle_system_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LINK;DEFINE;NEEDS;APART")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_system_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target system_${name}_test)
  heddle_test_program(${target} LINK ${arg_LINK} DEFINE ${arg_DEFINE})
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
heddle_system_test(affine_exits TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(random_exits TIMEOUT 5400 LINK heddle_random_programs
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs")
heddle_system_test(clock_gate TIMEOUT 900 LINK heddle_run heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(sms TIMEOUT 5400 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(litmus TIMEOUT 14400 LINK heddle_litmus
                   DEFINE HEDDLE_LITMUS="${PROJECT_SOURCE_DIR}/tests/litmus"
                          HEDDLE_TEST_OUTPUT="${CMAKE_CURRENT_BINARY_DIR}"
                          HEDDLE_LITMUS_PAGE="${PROJECT_SOURCE_DIR}/tests/litmus/README.md")
heddle_system_test(software_stack TIMEOUT 120 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs")
heddle_system_test(memory_splits TIMEOUT 300 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs" NEEDS heddle_kernel_ptx)
heddle_system_test(profile TIMEOUT 300 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(prefetch TIMEOUT 300 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(instruction_cache TIMEOUT 300 LINK heddle_run heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(constant_cache TIMEOUT 120 LINK heddle_run)
heddle_system_test(line_size TIMEOUT 120 LINK heddle_run heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(limit TIMEOUT 300 LINK heddle_run heddle_kernels heddle_limit NEEDS heddle_kernel_ptx)
heddle_system_test(trap_sides TIMEOUT 120 LINK heddle_random_programs)
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
                          HEDDLE_SHARED_ORDER="${PROJECT_SOURCE_DIR}/tests/kit/shared_order.cu"
                   NEEDS shared_order_O0 shared_order_O1 shared_order_O2 shared_order_O3)
heddle_system_test(carries TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(soft_barrier TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(predictions TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(predicted_kernels TIMEOUT 900 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(calls TIMEOUT 180 LINK heddle_random_programs)
heddle_system_test(spaces TIMEOUT 120 LINK heddle_space_cases heddle_random_programs)
heddle_system_test(error_codes TIMEOUT 120 LINK heddle_space_cases heddle_random_programs)
heddle_system_test(textures TIMEOUT 180 LINK heddle_texture_cases heddle_random_programs)
heddle_system_test(threads TIMEOUT 60 LINK heddle_sm)
heddle_system_test(warp_wide TIMEOUT 120 LINK heddle_random_programs)
target_sources(system_warp_wide_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/warp_wide_programs.cpp)
foreach(level O1 O3)
  heddle_clang_test(compiled_functions ${level} -${level} HEADER ${CMAKE_CURRENT_LIST_DIR}/compiled_functions.h)
endforeach()
heddle_system_test(compiled_functions TIMEOUT 300 LINK heddle_random_programs
                   DEFINE HEDDLE_SOURCE="${PROJECT_SOURCE_DIR}" HEDDLE_NVCC="${HEDDLE_NVCC}"
                          HEDDLE_NVCC_ARCHITECTURE="${HEDDLE_NVCC_ARCHITECTURE}"
                   NEEDS compiled_functions_O1 compiled_functions_O3)
heddle_clang_test(console O3 -O3)
heddle_system_test(console TIMEOUT 120 LINK heddle_random_programs
                   DEFINE HEDDLE_SOURCE="${PROJECT_SOURCE_DIR}" HEDDLE_NVCC="${HEDDLE_NVCC}"
                          HEDDLE_NVCC_ARCHITECTURE="${HEDDLE_NVCC_ARCHITECTURE}" NEEDS console_O3)
heddle_system_test(kernels TIMEOUT 900 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(barrel TIMEOUT 900 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(formation TIMEOUT 5400 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(twin TIMEOUT 1200 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}"
                   NEEDS heddle_kernel_ptx)
heddle_system_test(mimd TIMEOUT 900 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(affine TIMEOUT 5400 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_TEST_OUTPUT="${CMAKE_CURRENT_BINARY_DIR}" NEEDS heddle_kernel_ptx)
heddle_system_test(affine_lanes TIMEOUT 1800 LINK heddle_random_programs heddle_kernels
                   DEFINE HEDDLE_FAILURES_DIR="${CMAKE_BINARY_DIR}/random_programs" NEEDS heddle_kernel_ptx)
foreach(test sms formation mimd affine affine_lanes)
  target_sources(system_${test}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/kit/kernel_runs.cpp)
endforeach()
heddle_system_test(spills TIMEOUT 120 LINK heddle_random_programs)
heddle_system_test(kernel_suite TIMEOUT 2700 LINK heddle_run heddle_kernels nlohmann_json::nlohmann_json
                   DEFINE HEDDLE_STATISTICS_FILE="${PROJECT_SOURCE_DIR}/kernels/statistics.json"
                   NEEDS heddle_kernel_ptx)
heddle_system_test(constructs TIMEOUT 300 LINK heddle_run
                   DEFINE HEDDLE_README="${PROJECT_SOURCE_DIR}/sim/sm/README.md")
heddle_system_test(divergence TIMEOUT 900 LINK heddle_random_programs heddle_kernels NEEDS heddle_kernel_ptx)
heddle_system_test(listing TIMEOUT 60 LINK heddle_report
                   DEFINE HEDDLE_PROGRAM="$<TARGET_FILE:heddle>" NEEDS heddle heddle_kernel_ptx)
heddle_system_test(bad_input TIMEOUT 1200 LINK heddle_gpu_api DEFINE HEDDLE_PROGRAM="$<TARGET_FILE:heddle>"
                   NEEDS heddle heddle_kernel_ptx heddle_kernel_ptx_O0)

# Worked examples as PTX in the SM, where a block must go through the states that it has in its own bench.
add_test(NAME system.stories COMMAND ${PROJECT_SOURCE_DIR}/scripts/stories --check --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.stories PROPERTIES TIMEOUT 300)

# What bfs did to the blocks, replayed on SystemC, twin, model, gates and a file of one's own.
add_test(NAME system.replay
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/replay --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.replay PROPERTIES TIMEOUT 1200)

# Which rules of the blocks programs reach.
add_test(NAME system.rules
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/rules --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.rules PROPERTIES TIMEOUT 900)

# Options that nobody would think of together: a few runs of the cover, chosen by HEDDLE_SEED; all of them: scripts/cover.
add_test(NAME system.cover COMMAND ${PROJECT_SOURCE_DIR}/scripts/cover --rows 6)
set_tests_properties(system.cover PROPERTIES TIMEOUT 900 PROCESSORS 2 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})
