# SPDX-License-Identifier: Apache-2.0
# Saved GTKWave views against the waveforms they are for.
add_test(NAME waveforms.views
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/views --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.views PROPERTIES TIMEOUT 120)
# One warp under several mechanisms, and the pictures of the rooms.
add_test(NAME waveforms.waves
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/waves --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.waves PROPERTIES TIMEOUT 300 PROCESSORS 2)
# The committed pictures of benches (tools/bench_pictures.yaml).
add_test(NAME waveforms.pictures
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/pictures --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.pictures PROPERTIES TIMEOUT 120)
# The view that scripts/tb writes for a block, a case and a point.
add_test(NAME waveforms.case_views
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/case_views --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.case_views PROPERTIES TIMEOUT 300)
