# The area model of RAMs and CAMs (area/model), and its README against what it computes.
add_test(NAME area.model
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/area_model --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(area.model PROPERTIES TIMEOUT 120)
