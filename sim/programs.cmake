# SPDX-License-Identifier: Apache-2.0
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
  isa/waiting_branches.cpp
  isa/warp_meeting.cpp
  isa/warp_wide.cpp)
target_link_libraries(heddle_isa PUBLIC heddle_backing_store fmt::fmt)

add_library(heddle_ptx STATIC
  ptx/error.cpp
  ptx/lexer.cpp
  ptx/mark.cpp
  ptx/module.cpp
  ptx/parser.cpp
  ptx/scope.cpp
  ptx/token_stream.cpp)
target_link_libraries(heddle_ptx PUBLIC fmt::fmt)
target_precompile_headers(heddle_ptx PRIVATE ${HEDDLE_COMMON_HEADERS})

add_library(heddle_compiler STATIC
  compiler/allocation/allocation_check.cpp
  compiler/allocation/register_allocation.cpp
  compiler/allocation/spilling.cpp
  compiler/analysis/affine.cpp
  compiler/analysis/affine_slice.cpp
  compiler/analysis/affine_stack_room.cpp
  compiler/analysis/barrier_check.cpp
  compiler/analysis/barrier_ranges.cpp
  compiler/analysis/calls.cpp
  compiler/analysis/code_check.cpp
  compiler/analysis/control_dependence.cpp
  compiler/analysis/control_flow.cpp
  compiler/analysis/decoupling.cpp
  compiler/analysis/divergence.cpp
  compiler/analysis/interference.cpp
  compiler/analysis/liveness.cpp
  compiler/analysis/meeting_points.cpp
  compiler/analysis/natural_loops.cpp
  compiler/analysis/out_of_turn.cpp
  compiler/analysis/parted_barriers.cpp
  compiler/analysis/reaching_definitions.cpp
  compiler/analysis/reconvergence_candidates.cpp
  compiler/analysis/stream_order.cpp
  compiler/analysis/traps.cpp
  compiler/analysis/waiting_loops.cpp
  compiler/analysis/written_registers.cpp
  compiler/code/code_edit.cpp
  compiler/code/virtual_code.cpp
  compiler/code/virtual_listing.cpp
  compiler/compile.cpp
  compiler/explanation.cpp
  compiler/lowering/call_graph.cpp
  compiler/lowering/call_lowering.cpp
  compiler/lowering/calling_convention.cpp
  compiler/lowering/emitter.cpp
  compiler/lowering/function_lowering.cpp
  compiler/lowering/global_data.cpp
  compiler/lowering/lowering.cpp
  compiler/lowering/mark_lowering.cpp
  compiler/lowering/memory_lowering.cpp
  compiler/lowering/named_function.cpp
  compiler/lowering/symbols.cpp
  compiler/lowering/texture_lowering.cpp
  compiler/lowering/value_lowering.cpp
  compiler/lowering/warp_wide_lowering.cpp
  compiler/opcodes/memory_form.cpp
  compiler/opcodes/opcode_rows.cpp
  compiler/opcodes/opcode_table.cpp
  compiler/opcodes/opcodes_approximate.cpp
  compiler/opcodes/opcodes_bits.cpp
  compiler/opcodes/opcodes_bytes.cpp
  compiler/opcodes/opcodes_carry.cpp
  compiler/opcodes/opcodes_compare.cpp
  compiler/opcodes/opcodes_control_and_memory.cpp
  compiler/opcodes/opcodes_convert.cpp
  compiler/opcodes/opcodes_float.cpp
  compiler/opcodes/opcodes_integer.cpp
  compiler/opcodes/opcodes_warp_wide.cpp
  compiler/passes.cpp
  compiler/transformation/affine_streams.cpp
  compiler/transformation/automatic_predictions.cpp
  compiler/transformation/barrier_list.cpp
  compiler/transformation/barrier_registers.cpp
  compiler/transformation/convergence_barriers.cpp
  compiler/transformation/deconfliction.cpp
  compiler/transformation/default_barriers.cpp
  compiler/transformation/marks.cpp
  compiler/transformation/move_coalescing.cpp
  compiler/transformation/needless_jumps.cpp
  compiler/transformation/predicted_function.cpp
  compiler/transformation/predictions.cpp
  compiler/transformation/soft_barrier.cpp
  compiler/transformation/software_stack.cpp
  compiler/transformation/recursion.cpp
  compiler/transformation/unread_results.cpp
  compiler/transformation/unread_values.cpp)
target_link_libraries(heddle_compiler PUBLIC heddle_isa heddle_ptx PRIVATE Boost::headers)
target_precompile_headers(heddle_compiler REUSE_FROM heddle_ptx)

add_library(heddle_gpu_api STATIC
  gpu/device.cpp
  gpu/numbers.cpp
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
