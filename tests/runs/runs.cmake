# SPDX-License-Identifier: Apache-2.0
# When each test last passed whole.
add_test(NAME lint.whole_run COMMAND ${CMAKE_CURRENT_LIST_DIR}/whole_run --build ${CMAKE_BINARY_DIR})
set_tests_properties(lint.whole_run PROPERTIES TIMEOUT 30)
# Which tests take turns.
add_test(NAME lint.turns COMMAND ${CMAKE_CURRENT_LIST_DIR}/turns --build ${CMAKE_BINARY_DIR} --check)
set_tests_properties(lint.turns PROPERTIES TIMEOUT 60)
