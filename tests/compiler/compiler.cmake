# SPDX-License-Identifier: Apache-2.0
# Tests of the compiler: opcodes against definitions of their own, passes, and what clang, nvcc and ptxas make of it.
foreach(family integer bit float approximate convert warp)
  heddle_unit_test(compiler_${family}_semantics_test TIMEOUT 60 LINK heddle_compiler)
endforeach()
foreach(part affine affine_exits automatic_predictions control_flow convergence_barriers divergence errors opcodes
             predictions software_stack)
  heddle_unit_test(compiler_${part}_test TIMEOUT 30 LINK heddle_compiler)
endforeach()
foreach(part barrier_check passes registers)
  heddle_unit_test(compiler_${part}_test TIMEOUT 60 LINK heddle_compiler)
  add_dependencies(compiler_${part}_test heddle_kernel_ptx)
endforeach()
heddle_unit_test(compiler_calls_test TIMEOUT 30 LINK heddle_gpu_api)
heddle_unit_test(compiler_sequences_test TIMEOUT 30 LINK heddle_gpu_api)
heddle_unit_test(compiler_spilling_test TIMEOUT 120 LINK heddle_kernels)
heddle_unit_test(compiler_textures_test TIMEOUT 60 LINK heddle_texture_cases)

heddle_unit_test(compiler_clang_test TIMEOUT 30 LINK heddle_gpu_api)
add_dependencies(compiler_clang_test clang_opcodes_O0 clang_opcodes_O1 clang_opcodes_O3 clang_opcodes_fast)
heddle_unit_test(compiler_clang_warps_test TIMEOUT 30 LINK heddle_gpu_api)
foreach(level O1 O3)
  heddle_clang_test(clang_warps ${level} -${level})
  add_dependencies(compiler_clang_warps_test clang_warps_${level})
endforeach()
heddle_unit_test(compiler_marks_test TIMEOUT 120 LINK heddle_compiler
                 DEFINE HEDDLE_SOURCE="${PROJECT_SOURCE_DIR}" HEDDLE_NVCC="${HEDDLE_NVCC}"
                        HEDDLE_PREDICTIONS="${CMAKE_CURRENT_LIST_DIR}/predictions.cu"
                        HEDDLE_NVCC_ARCHITECTURE="${HEDDLE_NVCC_ARCHITECTURE}")
foreach(level O0 O1 O2 O3)
  heddle_clang_test(predictions ${level} -${level} HEADER ${PROJECT_SOURCE_DIR}/kernels/include/heddle.h)
  add_dependencies(compiler_marks_test predictions_${level})
endforeach()

set(ptxas HEDDLE_PTXAS="${HEDDLE_PTXAS}" HEDDLE_PTXAS_TARGET="${HEDDLE_PTXAS_TARGET}")
heddle_unit_test(ptxas_folding_test TIMEOUT 120 LINK heddle_compiler DEFINE ${ptxas})
heddle_unit_test(ptxas_registers_test TIMEOUT 120 LINK heddle_kernels DEFINE ${ptxas})
