# SPDX-License-Identifier: Apache-2.0
# Evaluations of the papers, and sweeps.

# A paper's evaluation: killed anywhere it loses nothing, and its page follows from its results.
add_test(NAME system.evaluate_resumes
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_resumes --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.evaluate_resumes PROPERTIES TIMEOUT 300 PROCESSORS 2)
add_test(NAME system.evaluate_page COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_page --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.evaluate_page PROPERTIES TIMEOUT 300)

# No run of a study may be faster than the machine allows; the committed results are held to it by studies.bounds.
add_test(NAME system.evaluate_bounds COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_bounds --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.evaluate_bounds PROPERTIES TIMEOUT 300)
add_test(NAME system.evaluate_formation
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/evaluate_formation --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.evaluate_formation PROPERTIES TIMEOUT 300)

# Sweeps: of processes that have the same jobs each job is run by one, and killed anywhere nothing is lost or counts twice.
add_test(NAME system.sweep
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/sweep --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.sweep PROPERTIES TIMEOUT 300 PROCESSORS 2)

# ... and on a Slurm of one node, where one is installed (scripts/bootstrap slurm).
add_test(NAME system.sweep_slurm
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/sweep_slurm --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.sweep_slurm PROPERTIES TIMEOUT 600 PROCESSORS 2)

# The page follows from the results, and some of the runs, others each time, come out as they did; none where the results are of
# an earlier machine (77).
file(GLOB results CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studies/*/results.json)
foreach(result IN LISTS results)
  cmake_path(GET result PARENT_PATH study)
  cmake_path(GET study FILENAME study)
  add_test(NAME studies.${study} COMMAND ${PROJECT_SOURCE_DIR}/scripts/evaluate ${study} --check --again 20)
  set_tests_properties(studies.${study} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})
endforeach()

# Numbers of studies/all by other code, and conclusions that do not follow.
add_test(NAME system.all_figures COMMAND ${CMAKE_CURRENT_LIST_DIR}/all_figures --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.all_figures PROPERTIES TIMEOUT 120 ENVIRONMENT BUILD_DIR=${CMAKE_BINARY_DIR})
