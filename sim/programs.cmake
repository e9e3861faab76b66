# From PTX text to programs, and the untimed oracle: isa, ptx, compiler, and the device interface of gpu.
find_package(fmt REQUIRED)
find_package(Boost REQUIRED)  # Boost.Graph: dominators, header only

add_library(heddle_isa STATIC
  isa/branch_target.cpp
  isa/console.cpp
  isa/cta_barriers.cpp
  isa/disassemble.cpp
  isa/execution_error.cpp
  isa/global_data.cpp
  isa/launch.cpp
  isa/loops.cpp
  isa/oracle.cpp
  isa/warp_meeting.cpp
  isa/warp_wide.cpp)
target_link_libraries(heddle_isa PUBLIC heddle_backing_store fmt::fmt)

add_library(heddle_ptx STATIC
  ptx/error.cpp
  ptx/lexer.cpp
  ptx/module.cpp
  ptx/parser.cpp
  ptx/scope.cpp
  ptx/token_stream.cpp)
target_link_libraries(heddle_ptx PUBLIC fmt::fmt)
target_precompile_headers(heddle_ptx PRIVATE ${HEDDLE_COMMON_HEADERS})

add_library(heddle_compiler STATIC
  compiler/allocation_check.cpp
  compiler/call_graph.cpp
  compiler/call_lowering.cpp
  compiler/calling_convention.cpp
  compiler/code_edit.cpp
  compiler/compile.cpp
  compiler/control_flow.cpp
  compiler/convergence_barriers.cpp
  compiler/divergence.cpp
  compiler/emitter.cpp
  compiler/function_lowering.cpp
  compiler/global_data.cpp
  compiler/interference.cpp
  compiler/liveness.cpp
  compiler/lowering.cpp
  compiler/meeting_points.cpp
  compiler/memory_form.cpp
  compiler/memory_lowering.cpp
  compiler/move_coalescing.cpp
  compiler/opcode_rows.cpp
  compiler/opcode_table.cpp
  compiler/opcodes_approximate.cpp
  compiler/opcodes_bits.cpp
  compiler/opcodes_bytes.cpp
  compiler/opcodes_carry.cpp
  compiler/opcodes_compare.cpp
  compiler/opcodes_control_and_memory.cpp
  compiler/opcodes_convert.cpp
  compiler/opcodes_float.cpp
  compiler/opcodes_integer.cpp
  compiler/opcodes_warp_wide.cpp
  compiler/recursion.cpp
  compiler/register_allocation.cpp
  compiler/spilling.cpp
  compiler/symbols.cpp
  compiler/texture_lowering.cpp
  compiler/value_lowering.cpp
  compiler/virtual_code.cpp
  compiler/warp_wide_lowering.cpp)
target_link_libraries(heddle_compiler PUBLIC heddle_isa heddle_ptx PRIVATE Boost::headers)
target_precompile_headers(heddle_compiler REUSE_FROM heddle_ptx)

add_library(heddle_gpu_api STATIC
  gpu/device.cpp
  gpu/oracle_device.cpp
  gpu/program_library.cpp
  gpu/texture.cpp
  gpu/workload.cpp)
target_link_libraries(heddle_gpu_api PUBLIC heddle_isa heddle_compiler)
target_precompile_headers(heddle_gpu_api REUSE_FROM heddle_ptx)

foreach(library heddle_isa heddle_ptx heddle_compiler heddle_gpu_api)
  target_include_directories(${library} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${library} PRIVATE heddle_options)
endforeach()
