# SPDX-License-Identifier: Apache-2.0
# Tests of the memory subsystem, the load/store unit and what stands below them. Each is a process, and each process
# elaborates once.
find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)

function(heddle_memory_test name)
  add_executable(${name} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${name}.cpp)
  heddle_boost_test(${name} ${ARGN})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 60)
endfunction()

heddle_memory_test(tlm_backing_store_test heddle_backing_store)
heddle_memory_test(tlm_l1_cache_test heddle_tlm)
heddle_memory_test(tlm_prefetch_buffer_test heddle_tlm)
heddle_memory_test(tlm_iterative_matching_test heddle_matching)
heddle_memory_test(tlm_crossbar_test heddle_tlm)
heddle_memory_test(tlm_l2_cache_test heddle_tlm)
heddle_memory_test(tlm_dram_channel_test heddle_tlm)
heddle_memory_test(tlm_traffic_test heddle_tlm)
heddle_memory_test(tlm_protocol_monitor_test heddle_tlm)
heddle_memory_test(tlm_standard_sockets_test heddle_tlm)
target_sources(tlm_standard_sockets_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/tlm_questions.cpp)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/tlm_standard_sockets_test.cpp HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
heddle_memory_test(tlm_memory_hierarchy_test heddle_gpu)
set_tests_properties(tlm_memory_hierarchy_test PROPERTIES TIMEOUT 300)  # ten million requests
heddle_memory_test(rtl_links_test heddle_base)
heddle_memory_test(sm_fetch_test heddle_sm)
heddle_memory_test(sm_prefetcher_test heddle_sm)
heddle_memory_test(lsu_load_store_unit_test heddle_lsu)
