# SPDX-License-Identifier: Apache-2.0
# How scripts/slice_point and scripts/elaborate_point build something small for a design point.
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
  \"archives\": [\"$<TARGET_FILE:heddle_elaborate>\", \"$<TARGET_FILE:heddle_storage_rows>\", \"$<TARGET_FILE:heddle_mechanisms>\", \"$<TARGET_FILE:heddle_base>\"],
  \"libraries\": [\"-lsystemc\", \"-lfmt\"]
}
")
