# SPDX-License-Identifier: Apache-2.0
# A whole run (scripts/test --whole) does all of what other runs do a part of: its tests may take HEDDLE_PATIENCE times as
# long.
set(HEDDLE_PATIENCE 1 CACHE STRING "how many times as long as usual a test may take")

# Called last in each folder that has long tests: multiplies the TIMEOUT of those that are there.
function(heddle_be_patient)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test ${tests})
    get_test_property(${test} TIMEOUT seconds)
    if(seconds)
      math(EXPR seconds "${seconds} * ${HEDDLE_PATIENCE}")
      set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds})
    endif()
  endforeach()
endfunction()
