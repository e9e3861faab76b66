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
heddle_program_test(compiler_clang_test TIMEOUT 30 LINK heddle_gpu_api)
function(heddle_clang_opcodes variant)
  set(source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/clang_opcodes.cu)
  set(ptx ${CMAKE_BINARY_DIR}/kernels/clang_opcodes_${variant}.ptx)
  add_custom_command(
    OUTPUT ${ptx}
    COMMAND ${HEDDLE_CLANG} -x cuda --cuda-device-only --cuda-gpu-arch=sm_61 -nocudainc -nocudalib ${ARGN} -S
            -ffp-contract=off -Wno-unknown-cuda-version ${source} -o ${ptx}
    DEPENDS ${source}
    VERBATIM)
  add_custom_target(clang_opcodes_${variant} DEPENDS ${ptx})
  add_dependencies(compiler_clang_test clang_opcodes_${variant})
endfunction()
heddle_clang_opcodes(O1 -O1)
heddle_clang_opcodes(O3 -O3)
heddle_clang_opcodes(fast -O3 -ffast-math -fcuda-flush-denormals-to-zero)
heddle_program_test(compiler_control_flow_test TIMEOUT 30 LINK heddle_compiler)
heddle_program_test(compiler_errors_test TIMEOUT 30 LINK heddle_compiler)
heddle_program_test(compiler_registers_test TIMEOUT 60 LINK heddle_compiler)
add_dependencies(compiler_registers_test heddle_kernel_ptx)
heddle_program_test(oracle_device_test TIMEOUT 30 LINK heddle_gpu_api)
