# SPDX-License-Identifier: Apache-2.0
# Tests of the memory subsystem. Each is a process, and each process elaborates once.
heddle_unit_test(tlm_backing_store_test TIMEOUT 60 LINK heddle_backing_store)
heddle_unit_test(tlm_iterative_matching_test TIMEOUT 60 LINK heddle_matching)
foreach(part l1_cache prefetch_buffer crossbar l2_cache dram_channel traffic protocol_monitor)
  heddle_unit_test(tlm_${part}_test TIMEOUT 60 LINK heddle_tlm)
endforeach()
heddle_unit_test(tlm_standard_sockets_test TIMEOUT 60 LINK heddle_tlm DEFINE HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_sources(tlm_standard_sockets_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/questions.cpp)
heddle_unit_test(tlm_memory_hierarchy_test TIMEOUT 300 LINK heddle_gpu)  # ten million requests
