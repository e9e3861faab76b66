# SPDX-License-Identifier: Apache-2.0
# Tests of parts of the SM. Each is a process, and each process elaborates once.
heddle_unit_test(sm_fetch_test TIMEOUT 60 LINK heddle_sm)
heddle_unit_test(sm_prefetcher_test TIMEOUT 60 LINK heddle_sm)
heddle_unit_test(lsu_load_store_unit_test TIMEOUT 60 LINK heddle_lsu)
heddle_test_program(affine_tags_test LINK heddle_sm)
add_test(NAME sm.affine_tags COMMAND affine_tags_test)
set_tests_properties(sm.affine_tags PROPERTIES TIMEOUT 30)
# The affine unit of the SM, with warps that only dequeue.
heddle_test_program(affine_unit_test LINK heddle_sm)
target_sources(affine_unit_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/affine_streams.cpp)
add_dependencies(affine_unit_test all_slices)
add_test(NAME sm.affine_unit COMMAND affine_unit_test)
set_tests_properties(sm.affine_unit PROPERTIES TIMEOUT 300)
# A block beside its twin, as a library that the SM would load; it compiles the twins where that was not done.
heddle_unit_test(twin_affine_expansion_test TIMEOUT 600 LINK heddle_sm
                 DEFINE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}")
