# SPDX-License-Identifier: Apache-2.0
# The suite on a GPU of NVIDIA's, before a driver and a profiler that are not there.
heddle_unit_test(silicon_cuda_device_test TIMEOUT 120 LINK heddle_silicon heddle_kernels)
add_dependencies(silicon_cuda_device_test heddle_kernel_ptx)
add_test(NAME system.silicon
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/script --root ${PROJECT_SOURCE_DIR} --program $<TARGET_FILE:silicon>)
set_tests_properties(system.silicon PROPERTIES TIMEOUT 60)
