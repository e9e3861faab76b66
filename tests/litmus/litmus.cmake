# SPDX-License-Identifier: Apache-2.0
# Outcomes of a few threads on a few words, against PTX's memory model: system.litmus runs them.
add_library(heddle_litmus STATIC ${CMAKE_CURRENT_LIST_DIR}/program.cpp ${CMAKE_CURRENT_LIST_DIR}/runs.cpp)
target_link_libraries(heddle_litmus PUBLIC heddle_run PRIVATE heddle_options)
