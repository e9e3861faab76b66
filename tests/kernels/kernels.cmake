# SPDX-License-Identifier: Apache-2.0
# The kernels of kernels/ on the oracle: results, levels of optimisation, compilers, order in memory.
set(places HEDDLE_KERNELS_SOURCE="${PROJECT_SOURCE_DIR}/kernels" HEDDLE_NVCC="${HEDDLE_NVCC}"
           HEDDLE_NVCC_ARCHITECTURE="${HEDDLE_NVCC_ARCHITECTURE}")
heddle_unit_test(kernels_test TIMEOUT 300 LINK heddle_kernels DEFINE ${places})
heddle_unit_test(kernels_levels_test TIMEOUT 600 LINK heddle_kernels DEFINE ${places})
add_dependencies(kernels_levels_test heddle_kernel_ptx_O0 heddle_kernel_ptx_O1 heddle_kernel_ptx_O3)
heddle_unit_test(nvcc_language_test TIMEOUT 120 LINK heddle_gpu_api
                 DEFINE ${places} HEDDLE_NVCC_SOURCE="${CMAKE_CURRENT_LIST_DIR}/nvcc_language.cu")
heddle_unit_test(kernels_memory_order_test TIMEOUT 900 LINK heddle_kernels)
add_dependencies(kernels_memory_order_test heddle_kernel_ptx heddle_kernel_ptx_O0 heddle_kernel_ptx_O1
                                           heddle_kernel_ptx_O3 shared_order_O0 shared_order_O1 shared_order_O2
                                           shared_order_O3)
