# SPDX-License-Identifier: Apache-2.0
# What tests of several folders share: the main of every test, functions that make a test, cases, and programs in CUDA.
find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

# The main of every test, and what all of them read before their own headers, compiled once.
add_library(heddle_test_main OBJECT ${CMAKE_CURRENT_LIST_DIR}/test_main.cpp)  # an object: libsystemc has a main, too
target_link_libraries(heddle_test_main PUBLIC Boost::unit_test_framework fmt::fmt heddle_options)
target_compile_definitions(heddle_test_main PUBLIC BOOST_TEST_DYN_LINK)
heddle_brief(heddle_test_main)
target_precompile_headers(heddle_test_main PRIVATE <boost/test/unit_test.hpp> ${HEDDLE_COMMON_HEADERS})
function(heddle_boost_test target)
  target_link_libraries(${target} PRIVATE heddle_test_main ${ARGN})
  target_precompile_headers(${target} REUSE_FROM heddle_test_main)
endfunction()

# The program NAME of a test: its source is NAME.cpp in the folder of the caller, whose name, as a prefix, the file may
# leave out: of compiler_calls_test it is compiler/calls_test.cpp.
function(heddle_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;DEFINE")
  cmake_path(GET CMAKE_CURRENT_LIST_DIR FILENAME folder)
  string(REGEX REPLACE "^${folder}_" "" source ${name})
  set(source ${CMAKE_CURRENT_LIST_DIR}/${source}.cpp)
  if(NOT EXISTS ${source})
    set(source ${CMAKE_CURRENT_LIST_DIR}/${name}.cpp)
  endif()
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  heddle_boost_test(${name} ${arg_LINK})
  heddle_places(${source} HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels"
                HEDDLE_PTX_SOURCES="${PROJECT_SOURCE_DIR}/tests/ptx" ${arg_DEFINE})
endfunction()

# A test of a part, which is called as its program is.
function(heddle_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LINK;DEFINE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_unit_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  heddle_test_program(${name} LINK ${arg_LINK} DEFINE ${arg_DEFINE})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

# Compilers of CUDA that some machines have.
find_program(HEDDLE_NVCC nvcc)
if(HEDDLE_NVCC)
  execute_process(COMMAND ${HEDDLE_NVCC} --list-gpu-arch OUTPUT_VARIABLE architectures ERROR_QUIET)
  string(REGEX MATCH "compute_[0-9]+" HEDDLE_NVCC_ARCHITECTURE "${architectures}")  # the oldest it knows
endif()
if(NOT HEDDLE_NVCC_ARCHITECTURE)
  set(HEDDLE_NVCC "")  # none, or one that does not run
endif()
find_program(HEDDLE_PTXAS ptxas)
string(REPLACE compute sm HEDDLE_PTXAS_TARGET "${HEDDLE_NVCC_ARCHITECTURE}")
if(NOT HEDDLE_PTXAS OR NOT HEDDLE_PTXAS_TARGET)
  set(HEDDLE_PTXAS "")  # and without nvcc nobody says for which machine
endif()

# PTX of a CUDA test: ${CMAKE_BINARY_DIR}/kernels/NAME_VARIANT.ptx, target NAME_VARIANT.
function(heddle_clang_test name variant)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "HEADER" "")  # that device and host share; the rest are flags
  set(source ${CMAKE_CURRENT_LIST_DIR}/${name}.cu)
  set(ptx ${CMAKE_BINARY_DIR}/kernels/${name}_${variant}.ptx)
  add_custom_command(
    OUTPUT ${ptx}
    COMMAND ${HEDDLE_CLANG} -x cuda --cuda-device-only --cuda-gpu-arch=sm_61 -nocudainc -nocudalib
            ${arg_UNPARSED_ARGUMENTS} -S -ffp-contract=off -Wno-unknown-cuda-version -Xclang -target-feature -Xclang +ptx63
            -I${PROJECT_SOURCE_DIR} ${source} -o ${ptx}
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/kernels/cuda_device.h ${arg_HEADER}
    VERBATIM)
  add_custom_target(${name}_${variant} DEPENDS ${ptx})
endfunction()
heddle_clang_test(clang_opcodes O0 -O0)
heddle_clang_test(clang_opcodes O1 -O1)
heddle_clang_test(clang_opcodes O3 -O3)
heddle_clang_test(clang_opcodes fast -O3 -ffast-math -fcuda-flush-denormals-to-zero)
heddle_clang_test(clang_spaces O0 -O0)
heddle_clang_test(clang_spaces O2 -O2)
foreach(level O0 O1 O2 O3)
  heddle_clang_test(shared_order ${level} -${level} -include ${PROJECT_SOURCE_DIR}/kernels/cuda_device.h)
endforeach()

add_library(heddle_texture_cases STATIC ${CMAKE_CURRENT_LIST_DIR}/texture_cases.cpp)
target_link_libraries(heddle_texture_cases PUBLIC heddle_gpu_api PRIVATE heddle_options)
add_library(heddle_space_cases STATIC ${CMAKE_CURRENT_LIST_DIR}/space_cases.cpp)
target_link_libraries(heddle_space_cases PUBLIC heddle_run PRIVATE heddle_options)
heddle_places(${CMAKE_CURRENT_LIST_DIR}/space_cases.cpp HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels"
              HEDDLE_PTX_SOURCES="${PROJECT_SOURCE_DIR}/tests/ptx")
add_dependencies(heddle_space_cases clang_opcodes_O0 clang_spaces_O0 clang_spaces_O2)
