# SPDX-License-Identifier: Apache-2.0
# heddle area: rows at any design point, and its output for programs.
add_test(NAME area.storage
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/area_storage --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(area.storage PROPERTIES TIMEOUT 600)
