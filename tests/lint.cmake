# SPDX-License-Identifier: Apache-2.0
# What a SystemC synthesis tool refuses or gets wrong: not in rtl/, and found where it is.
add_test(NAME lint.synthesizable COMMAND ${PROJECT_SOURCE_DIR}/scripts/lint --synthesizable)
add_test(NAME lint.synthesizable_rules
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/lint_synthesizable --root ${PROJECT_SOURCE_DIR}
                 --compiler ${CMAKE_CXX_COMPILER})
set_tests_properties(lint.synthesizable lint.synthesizable_rules PROPERTIES TIMEOUT 60)
add_test(NAME lint.house COMMAND ${CMAKE_CURRENT_LIST_DIR}/house --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.house PROPERTIES TIMEOUT 60)
add_test(NAME lint.licence COMMAND ${CMAKE_CURRENT_LIST_DIR}/licence --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.licence PROPERTIES TIMEOUT 60)
# The compiler cache has what a clone in another folder compiles.
add_test(NAME lint.places COMMAND ${CMAKE_CURRENT_LIST_DIR}/places --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(lint.places PROPERTIES TIMEOUT 60)
add_test(NAME lint.words COMMAND ${CMAKE_CURRENT_LIST_DIR}/words)
set_tests_properties(lint.words PROPERTIES TIMEOUT 60)
add_test(NAME lint.commits COMMAND ${CMAKE_CURRENT_LIST_DIR}/commits --root ${PROJECT_SOURCE_DIR})
set_tests_properties(lint.commits PROPERTIES TIMEOUT 60)
add_test(NAME system.version
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/version --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.version PROPERTIES TIMEOUT 30)
