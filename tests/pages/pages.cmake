# SPDX-License-Identifier: Apache-2.0
# Commands and outputs that pages print.

# The commit as a newcomer has it: a clone, the demo, and what README prints.
add_test(NAME system.newcomer COMMAND ${CMAKE_CURRENT_LIST_DIR}/newcomer --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.newcomer PROPERTIES TIMEOUT 1800 PROCESSORS 2 COST 100)

# What pages show as output is compared, and written anew.
add_test(NAME scripts.printed_outputs COMMAND ${CMAKE_CURRENT_LIST_DIR}/printed_outputs --root ${PROJECT_SOURCE_DIR})
set_tests_properties(scripts.printed_outputs PROPERTIES TIMEOUT 60)

# What pages and --help print for people to type.
add_test(NAME system.printed_commands
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/printed_commands --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.printed_commands PROPERTIES TIMEOUT 1200)
