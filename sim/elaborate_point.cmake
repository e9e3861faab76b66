# How scripts/elaborate_point builds the small program of a mechanism at a design point: mechanism, its source, the rooms
# of its blocks (the others are of the stacks).
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
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/elaborate_point.json CONTENT "{
  \"compiler\": \"${CMAKE_CXX_COMPILER}\",
  \"launcher\": \"$<$<BOOL:${CCACHE}>:${CCACHE}>\",
  \"flags\": [\"-D$<JOIN:$<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>,\", \"-D>\"],
  \"mechanisms\": {
    ${mechanisms}
  },
  \"archives\": [\"$<TARGET_FILE:heddle_elaborate>\", \"$<TARGET_FILE:heddle_storage_rows>\", \"$<TARGET_FILE:heddle_mechanisms>\", \"$<TARGET_FILE:heddle_base>\"],
  \"libraries\": [\"-lsystemc\", \"-lfmt\"]
}
")
