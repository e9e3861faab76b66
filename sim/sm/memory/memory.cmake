# SPDX-License-Identifier: Apache-2.0
# The load/store unit, on its own so that its tests need no SM.
add_library(heddle_lsu STATIC ${CMAKE_CURRENT_LIST_DIR}/load_store_unit.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/request_order.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/shared_memory_timing.cpp)
target_include_directories(heddle_lsu PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(heddle_lsu PUBLIC heddle_tlm)
