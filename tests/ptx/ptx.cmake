# SPDX-License-Identifier: Apache-2.0
# Tests of the parser of PTX; texts with something wrong in them.
heddle_unit_test(ptx_parser_test TIMEOUT 30 LINK heddle_ptx)
add_library(heddle_ptx_mutations STATIC ${CMAKE_CURRENT_LIST_DIR}/mutations.cpp)
target_link_libraries(heddle_ptx_mutations PUBLIC heddle_compiler PRIVATE heddle_options)
heddle_unit_test(ptx_mutations_test TIMEOUT 120 LINK heddle_ptx_mutations)
add_dependencies(ptx_mutations_test heddle_kernel_ptx)
# What scripts/fuzz ptx runs; it configures a build of its own, with clang, for it.
if(HEDDLE_PTX_FUZZER)
  add_executable(ptx_fuzzer EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/fuzzer.cpp)
  target_link_libraries(ptx_fuzzer PRIVATE heddle_ptx_mutations)
  target_link_options(ptx_fuzzer PRIVATE -fsanitize=fuzzer)
endif()
