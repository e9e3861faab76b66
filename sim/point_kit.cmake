# SPDX-License-Identifier: Apache-2.0
# How scripts/slice_point and scripts/elaborate_point build something small for a design point. Of a mechanism whose
# storage is counted: its name, its source, the rooms of its blocks (the others are of the stacks).
set(mechanisms "")
foreach(row stacks:stack: splits:split:warp_split_table barriers:barrier:convergence_barrier
            formation:formation:warp_formation affine:affine:affine)
  string(REPLACE ":" ";" row "${row}")
  list(GET row 0 mechanism)
  list(GET row 1 file)
  list(GET row 2 room)
  list(APPEND mechanisms
       "\"${mechanism}\": {\"source\": \"sim/report/${file}_storage.cpp\", \"room\": \"${room}\"}")
endforeach()
list(JOIN mechanisms ",\n    " mechanisms)
list(JOIN CMAKE_CXX_COMPILER_LAUNCHER " " launcher)
# An issue slice at -O3 runs a ninth fewer instructions than at -O1 (callgrind, diverge under dpe; at -O2 a fiftieth):
# its loops over warps and entries are short and of constant bounds. It takes a fifth longer to compile.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # clang knows neither of these, and finds shadows in HEDDLE_RECORD
  set(inline "-finline-small-functions -findirect-inlining")
  set(strict " -Wshadow -Werror")
endif()
set(sanitize "$<$<BOOL:${HEDDLE_SANITIZE}>:-fsanitize=${HEDDLE_SANITIZE}>")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/point_kit.json CONTENT "{
  \"compiler\": \"${CMAKE_CXX_COMPILER}\",
  \"launcher\": \"${launcher}\",
  \"flags\": \"-std=c++17 ${sanitize} -D$<JOIN:$<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>, -D>\",
  \"optimise\": \"${CMAKE_CXX_FLAGS_${type}} $<$<CONFIG:Release>:-O3> ${HEDDLE_COMPILER_MEMORY} -Wall -Wextra${strict}\",
  \"inline\": \"${inline}\",
  \"link\": \"${sanitize}\",
  \"mechanisms\": {
    ${mechanisms}
  },
  \"archives\": [\"$<TARGET_FILE:heddle_elaborate>\", \"$<TARGET_FILE:heddle_storage_rows>\", \"$<TARGET_FILE:heddle_mechanisms>\", \"$<TARGET_FILE:heddle_base>\"],
  \"libraries\": [\"-lsystemc\", \"-lfmt\"]
}
")
