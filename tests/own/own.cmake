# SPDX-License-Identifier: Apache-2.0
# What a user adds, as pages say it: a kernel, a block, a memory, a mechanism; and blocks in a project of another.

# A kernel of a newcomer's own, from CUDA to profile.
add_test(NAME system.own_kernel
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/kernel --root ${PROJECT_SOURCE_DIR} --heddle $<TARGET_FILE:heddle>)
set_tests_properties(system.own_kernel PROPERTIES TIMEOUT 300)

# A block of a newcomer's own in the SM, in both languages: the commands of rtl/README.md.
add_test(NAME system.own_block COMMAND ${CMAKE_CURRENT_LIST_DIR}/block --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.own_block PROPERTIES TIMEOUT 600)

# A mechanism added to a clone: its folders and a line. Built and run there in a whole run (scripts/fuzz mechanism).
add_test(NAME system.new_mechanism
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/mechanism/check --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.new_mechanism PROPERTIES TIMEOUT 900)

# A memory of a newcomer's own below the L1s, in place of L2 and DRAM.
add_executable(own_memory ${CMAKE_CURRENT_LIST_DIR}/memory/own_memory.cpp)
target_include_directories(own_memory PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(own_memory PRIVATE HEDDLE_PTX_DIR="${CMAKE_BINARY_DIR}/kernels")
target_link_libraries(own_memory PRIVATE heddle_run heddle_kernels heddle_options)
add_dependencies(own_memory default_slice heddle_kernel_ptx)
add_test(NAME system.own_memory COMMAND own_memory vector_add histogram bfs)
set_tests_properties(system.own_memory PROPERTIES TIMEOUT 120 PROCESSORS 2)

# A block in a project of somebody else's: the page's files and commands.
add_test(NAME system.use_a_block COMMAND ${CMAKE_CURRENT_LIST_DIR}/use_a_block --root ${PROJECT_SOURCE_DIR})
set_tests_properties(system.use_a_block PROPERTIES TIMEOUT 120)

# The same, exported: one block with a clock and one without, in both languages.
add_test(NAME system.export_a_block
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/export_a_block --root ${PROJECT_SOURCE_DIR} --build ${CMAKE_BINARY_DIR})
set_tests_properties(system.export_a_block PROPERTIES TIMEOUT 300)
