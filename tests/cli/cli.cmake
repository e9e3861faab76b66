# SPDX-License-Identifier: Apache-2.0
# `heddle` as it is typed: numbers, names, files, interrupts; and the pages that it writes.
add_test(NAME system.numeric_options
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/numeric_options --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.numeric_options PROPERTIES TIMEOUT 600)
add_test(NAME system.progress_and_interrupts
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/progress_and_interrupts --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.progress_and_interrupts PROPERTIES TIMEOUT 300)

# What the descriptions of control flow units say, and how a wrong one is refused.
add_test(NAME system.unit_descriptions
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/unit_descriptions --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.unit_descriptions PROPERTIES TIMEOUT 120)

# A file that someone asks for in a folder that is not there.
add_test(NAME system.output_files
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/output_files --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.output_files PROPERTIES TIMEOUT 1200)

# What a run records of its memory traffic, played into that memory and others.
add_test(NAME system.memory_traffic COMMAND ${CMAKE_CURRENT_LIST_DIR}/memory_traffic --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.memory_traffic PROPERTIES TIMEOUT 180)

# The page of heddle report, as text and in a browser; and --timeline, which it draws.
add_test(NAME system.report
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/report --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.report PROPERTIES TIMEOUT 300)

# The answer to a misspelt name, of both languages.
heddle_unit_test(nearest_test TIMEOUT 30 DEFINE HEDDLE_NEAREST_CASES="${CMAKE_CURRENT_LIST_DIR}/nearest.txt")
add_test(NAME scripts.nearest
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/nearest --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(scripts.nearest PROPERTIES TIMEOUT 60)

add_test(NAME system.version
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/version --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.version PROPERTIES TIMEOUT 30)
