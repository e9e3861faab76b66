# How scripts/elaborate_point builds the small program of a mechanism at a design point of its own.
set(elaborate_sources "")
foreach(pair affine:affine barriers:barrier formation:formation splits:split stacks:stack)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 mechanism)
  list(GET pair 1 file)
  set(more "")
  if(mechanism STREQUAL stacks)
    set(more ", \"sim/sm/issue_slice.cpp\"")
  endif()
  list(APPEND elaborate_sources
       "\"${mechanism}\": [\"sim/report/elaborate_main.cpp\", \"sim/report/${file}_storage.cpp\"${more}]")
endforeach()
list(JOIN elaborate_sources ",\n    " elaborate_sources)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/elaborate_point.json CONTENT "{
  \"compiler\": \"${CMAKE_CXX_COMPILER}\",
  \"launcher\": \"${CMAKE_CXX_COMPILER_LAUNCHER}\",
  \"flags\": [\"-D$<JOIN:$<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>,\", \"-D>\"],
  \"sources\": {
    ${elaborate_sources}
  },
  \"archives\": [\"$<TARGET_FILE:heddle_elaborate>\", \"$<TARGET_FILE:heddle_isa>\", \"$<TARGET_FILE:heddle_base>\"],
  \"libraries\": [\"-lsystemc\", \"-lfmt\"]
}
")
