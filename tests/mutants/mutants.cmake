# SPDX-License-Identifier: Apache-2.0
# Mutants that tests must detect.

# A stack or a scheduler with a fault in the SM: does --compare see it?
add_test(NAME system.twin_mutants
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/twin_mutants --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.twin_mutants PROPERTIES TIMEOUT 900)

# Mutants of the SM: the runner is built once as it is (it must pass) and linked anew around each mutated object.
add_executable(system_mutant_runner ${CMAKE_CURRENT_LIST_DIR}/runner.cpp
                                     ${PROJECT_SOURCE_DIR}/tests/kit/prediction_programs.cpp)
target_link_libraries(system_mutant_runner PRIVATE heddle_random_programs heddle_space_cases heddle_litmus heddle_kernels
                                                   heddle_options)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/runner.cpp HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels"
              HEDDLE_PTX_SOURCES="${PROJECT_SOURCE_DIR}/tests/ptx"
              HEDDLE_STATISTICS_FILE="${PROJECT_SOURCE_DIR}/kernels/statistics.json"
              HEDDLE_LITMUS="${PROJECT_SOURCE_DIR}/tests/litmus" HEDDLE_TEST_OUTPUT="${CMAKE_CURRENT_BINARY_DIR}")
add_dependencies(system_mutant_runner all_slices heddle_kernel_ptx)
set(libraries heddle_random_programs heddle_space_cases heddle_litmus heddle_run heddle_gpu heddle_sm heddle_mechanisms
              heddle_lsu heddle_tlm heddle_matching heddle_gpu_api heddle_compiler heddle_ptx heddle_isa heddle_backing_store)
list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>")
add_test(NAME system.mutants
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/run_mutants ${CMAKE_CURRENT_LIST_DIR}/mutants.yaml
                 --root ${PROJECT_SOURCE_DIR} --commands ${CMAKE_BINARY_DIR}/compile_commands.json
                 --work ${CMAKE_BINARY_DIR}/mutants/system --runner $<TARGET_FILE:system_mutant_runner>
                 --link $<TARGET_OBJECTS:system_mutant_runner> $<TARGET_OBJECTS:heddle_kernels> ${libraries}
                 -Wl,--whole-archive $<TARGET_FILE:heddle_base> -Wl,--no-whole-archive -lsystemc -lfmt -lz -lpthread
         COMMAND_EXPAND_LISTS)
set_tests_properties(system.mutants PROPERTIES TIMEOUT 900 PROCESSORS 2 COST 100)
