# SPDX-License-Identifier: Apache-2.0
# Saved GTKWave views against the waveforms they are for.
add_test(NAME waveforms.views
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/views --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.views PROPERTIES TIMEOUT 120)

# One warp under several mechanisms, and the pictures of the rooms.
add_test(NAME waveforms.waves
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/waves --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.waves PROPERTIES TIMEOUT 300 PROCESSORS 2)

# The committed pictures of benches (scripts/bench_pictures.yaml).
add_test(NAME waveforms.pictures
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/pictures --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.pictures PROPERTIES TIMEOUT 120)

# The view that scripts/tb writes for a block, a case and a point.
add_test(NAME waveforms.case_views
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/case_views --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(waveforms.case_views PROPERTIES TIMEOUT 300)

# Figures of DAC as PTX in the SM: tuples, lines and addresses, from waveforms.
add_test(NAME system.dac_figures
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/dac_figures --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.dac_figures PROPERTIES TIMEOUT 120)

# Failures of many kinds leave the waveform of their last cycles.
add_test(NAME system.flight_recorder
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/flight_recorder --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.flight_recorder PROPERTIES TIMEOUT 600)

# Waveforms that begin and end with a line, a CTA or a warp.
add_test(NAME system.trace_moments
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/trace_moments --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.trace_moments PROPERTIES TIMEOUT 300)
