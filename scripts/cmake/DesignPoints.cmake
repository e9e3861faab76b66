# SPDX-License-Identifier: Apache-2.0
# C++ constants and SystemVerilog fragments of the design points, from rtl/config/design_points.yaml.
set(HEDDLE_GENERATED ${CMAKE_BINARY_DIR}/generated)
set(HEDDLE_POINTS_SCRIPT ${PROJECT_SOURCE_DIR}/scripts/design_points)
set(HEDDLE_POINTS_YAML ${PROJECT_SOURCE_DIR}/rtl/config/design_points.yaml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${HEDDLE_POINTS_YAML} ${HEDDLE_POINTS_SCRIPT}
                                       ${PROJECT_SOURCE_DIR}/tools/design_points.py)

function(heddle_design_points)
  execute_process(COMMAND ${HEDDLE_POINTS_SCRIPT} ${ARGV} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "scripts/design_points ${ARGV} failed")
  endif()
endfunction()

# Fragments are asked for one by one and written together: Python takes longer to start than to write one.
function(heddle_fragment)
  list(JOIN ARGV "\t" line)
  set_property(GLOBAL APPEND_STRING PROPERTY HEDDLE_FRAGMENTS "${line}\n")
endfunction()
function(heddle_write_fragments)
  get_property(lines GLOBAL PROPERTY HEDDLE_FRAGMENTS)
  file(WRITE ${CMAKE_BINARY_DIR}/fragments.txt "${lines}")
  heddle_design_points(fragments ${CMAKE_BINARY_DIR}/fragments.txt)
endfunction()

# At configure time (the YAML re-runs it): the generator writes only what changed.
heddle_design_points(header ${HEDDLE_GENERATED}/rtl/config/design_points.h)
add_custom_target(design_points)
execute_process(COMMAND ${HEDDLE_POINTS_SCRIPT} list OUTPUT_VARIABLE HEDDLE_POINTS OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "\n" ";" HEDDLE_POINTS "${HEDDLE_POINTS}")

# The rows of the mechanisms, from the descriptions of the control flow units.
file(GLOB HEDDLE_UNITS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/*/unit.yaml ${PROJECT_SOURCE_DIR}/sim/sm/units/*.yaml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${HEDDLE_UNITS} ${PROJECT_SOURCE_DIR}/scripts/units
                                       ${PROJECT_SOURCE_DIR}/tools/unit_files.py)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/units header ${HEDDLE_GENERATED}/sim/sm/mechanism_rows.h
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "scripts/units header failed")
endif()
