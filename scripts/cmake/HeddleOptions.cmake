# SPDX-License-Identifier: Apache-2.0
# Warnings and code generation that every target of Heddle shares.

# Most files run for a shorter time than it takes to optimise them; what the simulator spends its time in is hot.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
function(heddle_hot)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  endforeach()
endfunction()

# g++ collects garbage from 30 MB on, and every unit here is larger than that: with more room a twentieth faster, for a
# sixth more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(HEDDLE_COMPILER_MEMORY "--param=ggc-min-expand=400 --param=ggc-min-heapsize=400000")
  string(APPEND CMAKE_CXX_FLAGS " ${HEDDLE_COMPILER_MEMORY}")
endif()

# Benches and tests run for seconds, and there are many: -Og compiles a third faster and runs a third slower.
function(heddle_brief target)
  target_compile_options(${target} PUBLIC $<$<CONFIG:Release>:-Og>)
endfunction()
# Targets and files whose headers cost more to optimise than what they do.
function(heddle_cold)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  endforeach()
endfunction()
function(heddle_cold_files)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O0>)
  set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Absolute paths that a source file is told, and no other file of its target: the compiler cache then has all but that one
# where the tree lies in another folder.
function(heddle_places source)
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS ${ARGN})
  set_property(SOURCE ${source} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# What is compiled once where many small files would read it.
set(HEDDLE_COMMON_HEADERS <algorithm> <array> <cstdint> <functional> <map> <memory> <string> <unordered_map> <vector>
                          <fmt/format.h>)

add_library(heddle_options INTERFACE)
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wshadow -Werror)
set(HEDDLE_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined")
if(HEDDLE_SANITIZE)
  # g++ 12 sees uninitialised members inside its own <regex> when it instruments: a false alarm (GCC bug 105562).
  target_compile_options(heddle_options INTERFACE -fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer
                                                  -Wno-maybe-uninitialized)
  target_link_options(heddle_options INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()
