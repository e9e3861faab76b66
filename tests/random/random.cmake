# SPDX-License-Identifier: Apache-2.0
# Random programs, and campaigns that run them on the SM beside the oracle.
find_package(CLI11 REQUIRED)

set(kit ${CMAKE_CURRENT_LIST_DIR}/../kit)
add_library(heddle_random_programs STATIC ${kit}/mechanism_runs.cpp
                                          ${kit}/prediction_programs.cpp
                                          ${kit}/profile_sums.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/affine.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/affine_points.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/exits.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/marks.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/opcodes.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/program.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/program_campaign.cpp
                                          ${CMAKE_CURRENT_LIST_DIR}/traps.cpp)
target_link_libraries(heddle_random_programs PUBLIC heddle_run nlohmann_json::nlohmann_json PRIVATE heddle_options)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/affine_points.cpp HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}"
              HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# What scripts/fuzz runs.
add_executable(random_programs ${CMAKE_CURRENT_LIST_DIR}/programs.cpp)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/programs.cpp HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}"
              HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(random_programs PRIVATE heddle_random_programs CLI11::CLI11 heddle_options)
add_dependencies(random_programs all_slices)
