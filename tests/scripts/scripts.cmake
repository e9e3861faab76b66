# SPDX-License-Identifier: Apache-2.0
# Programs of scripts/.

# What is installed, missing and broken, as a bug report begins.
add_test(NAME system.doctor
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/doctor --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.doctor PROPERTIES TIMEOUT 300)

# The runs of the benchmark are runs that the program takes; their speed never decides a test.
add_test(NAME scripts.bench COMMAND ${PROJECT_SOURCE_DIR}/scripts/bench --check)
set_tests_properties(scripts.bench PROPERTIES TIMEOUT 300 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})

# Which committed figures follow from a key, and which command makes each.
add_test(NAME scripts.regenerate
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/regenerate --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(scripts.regenerate PROPERTIES TIMEOUT 300)
add_test(NAME scripts.progress COMMAND ${CMAKE_CURRENT_LIST_DIR}/progress --root ${PROJECT_SOURCE_DIR})
set_tests_properties(scripts.progress PROPERTIES TIMEOUT 60)

# Each value of a design point says where it is from.
add_test(NAME scripts.point_notes
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/point_notes --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(scripts.point_notes PROPERTIES TIMEOUT 300)
