# Tests of ptx, isa, compiler, oracle and kernels: one small executable each.
find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)

function(heddle_program_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_program_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${name} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${arg_LINK} Boost::unit_test_framework heddle_options)
  target_compile_definitions(${name} PRIVATE BOOST_TEST_DYN_LINK HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

heddle_program_test(kernels_test TIMEOUT 300 LINK heddle_kernels)
target_compile_definitions(kernels_test PRIVATE HEDDLE_KERNELS_SOURCE="${PROJECT_SOURCE_DIR}/kernels")
heddle_program_test(ptx_parser_test TIMEOUT 30 LINK heddle_ptx)
heddle_program_test(compiler_opcodes_test TIMEOUT 30 LINK heddle_compiler)
foreach(family integer bit float approximate convert warp)
  heddle_program_test(compiler_${family}_semantics_test TIMEOUT 60 LINK heddle_compiler)
endforeach()
heddle_program_test(compiler_sequences_test TIMEOUT 30 LINK heddle_gpu_api)
heddle_program_test(compiler_calls_test TIMEOUT 30 LINK heddle_gpu_api)
heddle_program_test(compiler_clang_test TIMEOUT 30 LINK heddle_gpu_api)
heddle_program_test(compiler_clang_warps_test TIMEOUT 30 LINK heddle_gpu_api)
# clang_NAME.cu with these flags, for the test that runs it.
function(heddle_clang_ptx name variant test)
  set(source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/clang_${name}.cu)
  set(ptx ${CMAKE_BINARY_DIR}/kernels/clang_${name}_${variant}.ptx)
  add_custom_command(
    OUTPUT ${ptx}
    COMMAND ${HEDDLE_CLANG} -x cuda --cuda-device-only --cuda-gpu-arch=sm_61 -nocudainc -nocudalib ${ARGN} -S
            -I${PROJECT_SOURCE_DIR} -Xclang -target-feature -Xclang +ptx63 -ffp-contract=off -Wno-unknown-cuda-version
            ${source} -o ${ptx}
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/kernels/cuda_device.h
    VERBATIM)
  add_custom_target(clang_${name}_${variant} DEPENDS ${ptx})
  add_dependencies(${test} clang_${name}_${variant})
endfunction()
heddle_clang_ptx(opcodes O0 compiler_clang_test -O0)
heddle_clang_ptx(opcodes O1 compiler_clang_test -O1)
heddle_clang_ptx(opcodes O3 compiler_clang_test -O3)
heddle_clang_ptx(opcodes fast compiler_clang_test -O3 -ffast-math -fcuda-flush-denormals-to-zero)
heddle_clang_ptx(warps O1 compiler_clang_warps_test -O1)
heddle_clang_ptx(warps O3 compiler_clang_warps_test -O3)
heddle_program_test(compiler_control_flow_test TIMEOUT 30 LINK heddle_compiler)
heddle_program_test(compiler_errors_test TIMEOUT 30 LINK heddle_compiler)
heddle_program_test(compiler_registers_test TIMEOUT 60 LINK heddle_compiler)
add_dependencies(compiler_registers_test heddle_kernel_ptx)
heddle_program_test(oracle_device_test TIMEOUT 30 LINK heddle_gpu_api)
