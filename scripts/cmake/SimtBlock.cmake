# SPDX-License-Identifier: Apache-2.0
# simt_block(): one call makes everything a finished block has (DESIGN sec. 3): twins, bench, proof, flop count, mutants.
#
#   simt_block(dual_path_stack
#     PARAMETERS Warps=slots Lanes=lanes ...    parameter of the twin = key of the design point; <package>.Depth=...: of
#                                               that package alone
#     PACKAGES   control_flow                   shared packages that the twin reads: of rtl/base, or as
#                                               <room>/<package> of another room, which then takes all the parameters
#     MODULES    helper                         further modules of the twin: <ROOM>/helper.sv
#     SHAPES     on:Option=1 off:Option=0       kinds of the block: each checked at each point, called <point>_<shape>
#     POINTS     tiny hpca13                    design points where block and twin run in lockstep
#     CORNERS    one:Warps=1,Lanes=1,...        corners that are no design point, in lockstep too, random cycles only
#     PROOF      Warps=1 Lanes=3 ...            the small point of the properties
#     INDUCTION  2                              properties are proved by k-induction with this k (default: 1)
#     BOUND      12                             and hold for this many cycles from reset
#     ENGINE     abc                            PDR instead, for assembled units; abc-each: one property at a time
#     DEEP       moves_on:28                    with abc-each: cycles of a property that is not proved but bounded
#     WIDE       Lanes=3 ...                    a second point of the properties, wider in some way, bounded only; for
#                                               mutants of the twin with point: wide
#     WIDE_BOUND 14                             cycles from reset at it
#     WIDE_COVER 9                              every cover is reached within so many cycles at it
#     FULL       Depth=2                        tests/rtl/widths takes PROOF with words and PCs of 32 bits, and these
#     FULL_BOUND 6                              the properties hold there for this many cycles from reset (default: 6)
#     FULL_WIDE  4                              and a field of so many bits is wide there (default: 8)
#     COVER      12                             every cover of the properties is reached within so many cycles
#     ALONE      hpca13_large                   further points of the bench: the block alone, without a twin
#     TOGETHER   small:small,small_pc           corners and further points whose benches share most of their code, in a
#                                               program of that name
#     FIRST      small                          what scripts/tb runs if no point is named; default: the first of the points
#     SMALL      narrow                         point or corner of the bench at which scripts/synth is quick; default: the
#                                               first of the points. Its netlist runs in the bench
#     RANDOM     100000)                        random cycles a point in the test run
#     NO_PACKAGE                                no records of its own: there is no <ROOM>/<name>_pkg.sv
#
# Files by convention: <ROOM>/<name>.{h,sv}, and <name>_pkg.sv;
# tb/<room below rtl>/<name>_{tb.cpp,props.sv}, mutants.yaml.
# The bench is a program tb_<name>_<point> a design point, with all its shapes: their signals are compiled once. Corners
# are programs of their own unless they are named TOGETHER. Target tb_<name> is all of them.
# Tests: <name>.cases.<point>, .random.<point>, .flops.<point>, .proof, .proof.wide, .widths, .mutants, .gates; with SHAPES
# <point>_<shape> and .proof.<shape>, the mutants at the first shape.
find_program(VERILATOR verilator REQUIRED)
find_program(YOSYS yosys REQUIRED)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VERILATOR_ROOT
                OUTPUT_STRIP_TRAILING_WHITESPACE)

# The precompiled header is also the twins': half of what a small one takes to compile.
add_library(verilated_runtime STATIC ${VERILATOR_ROOT}/include/verilated.cpp
                                     ${VERILATOR_ROOT}/include/verilated_threads.cpp
                                     ${PROJECT_SOURCE_DIR}/tb/bench/twin_stop.cpp)
# A failed assertion of a twin calls tb/bench/twin_stop.cpp.
set_source_files_properties(${VERILATOR_ROOT}/include/verilated.cpp PROPERTIES COMPILE_DEFINITIONS VL_USER_STOP
                                                                               SKIP_PRECOMPILE_HEADERS ON)
target_include_directories(verilated_runtime PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(verilated_runtime SYSTEM PUBLIC ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
target_link_libraries(verilated_runtime PUBLIC pthread)
target_precompile_headers(verilated_runtime PRIVATE <verilated.h>)

# Small functions in one file: what Verilator substitutes into one expression ends with its function, so that a big twin
# is a half to a third of the C++ (and compiles in a quarter of the time), and each file more is a compiler more.
set(SIMT_TWIN_SIZES --output-split 200000 --output-split-cfuncs 300)

# One twin at one design point, as a static library twin_<name>_<point> with the class V<name>_<point>. Its C++ names the
# sources as they are named here: from the root of the tree, so that the compiler cache has it in another folder, too.
function(_simt_twin name point fragments sources)
  set(named_from_root "")
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    list(APPEND named_from_root ${source})
  endforeach()
  set(prefix V${name}_${point})
  set(dir ${CMAKE_BINARY_DIR}/twins/${prefix})
  set(own ${CMAKE_CURRENT_SOURCE_DIR}/${name}.vlt)  # registers that the bench presets
  if(NOT EXISTS ${own})
    set(own "")
  endif()
  set(all ${dir}/${prefix}__ALL.cpp)  # includes every file that Verilator wrote
  file(MAKE_DIRECTORY ${dir})  # an include directory must exist when CMake generates
  add_custom_command(
    OUTPUT ${all} ${dir}/${prefix}.h
    COMMAND ${VERILATOR} --cc --assert -Wall ${SIMT_TWIN_SIZES} --top-module ${name}
            -I${fragments} tb/bench/twins.vlt ${own} ${named_from_root} --prefix ${prefix} --Mdir ${dir}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMAND make -s -C ${dir} -f ${prefix}.mk all_cpp
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/tb/bench/twins.vlt ${own} ${ARGN}
    COMMENT "Verilating ${name} at ${point}"
    VERBATIM)
  add_library(twin_${name}_${point} STATIC ${all})
  target_include_directories(twin_${name}_${point} SYSTEM INTERFACE ${dir})
  target_compile_options(twin_${name}_${point} PRIVATE -w)
  target_link_libraries(twin_${name}_${point} PUBLIC verilated_runtime)
  target_precompile_headers(twin_${name}_${point} REUSE_FROM verilated_runtime)
endfunction()

# Of these parameters those that a package has: <package>.<name> is its own, and stands in place of <name>.
function(_simt_parameters_of out package parameters)
  set(own ${parameters})
  list(FILTER own INCLUDE REGEX "^${package}[.]")
  list(TRANSFORM own REPLACE "^[^.]*[.]" "")
  list(FILTER parameters EXCLUDE REGEX "^[^=]*[.]")
  foreach(one ${own})
    string(REGEX REPLACE "=.*" "=" one ${one})
    list(FILTER parameters EXCLUDE REGEX "^${one}")
  endforeach()
  set(${out} "${parameters};${own}" PARENT_SCOPE)
endfunction()

# The fragments of a block and its packages at a point, in ${dir}; their names are returned in ${out}.
function(_simt_fragments out dir point name parameters packages)
  _simt_parameters_of(own ${name} "${parameters}")
  heddle_fragment(${point} ${dir}/${name}_point.svh ${own})
  set(files ${dir}/${name}_point.svh)
  foreach(package ${packages})
    set(is_shared TRUE)
    if(package MATCHES "/")
      set(is_shared FALSE)
    endif()
    get_filename_component(package ${package} NAME)
    _simt_parameters_of(shared ${package} "${parameters}")
    if(is_shared)
      list(FILTER shared INCLUDE REGEX "^(Warps|Lanes|PcBits)=")
    endif()
    heddle_fragment(${point} ${dir}/${package}_point.svh ${shared})
    list(APPEND files ${dir}/${package}_point.svh)
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# name:A=1,B=2 into the name and the list.
function(_simt_named name parameters text)
  string(REGEX REPLACE ":.*" "" head ${text})
  string(REGEX REPLACE "^[^:]*:" "" list ${text})
  string(REPLACE "," ";" list "${list}")
  set(${name} "${head}" PARENT_SCOPE)
  set(${parameters} "${list}" PARENT_SCOPE)
endfunction()

# <of>_<kind>, or <of> for a block without shapes.
function(_simt_shaped out of kind)
  if(kind)
    set(of ${of}_${kind})
  endif()
  set(${out} ${of} PARENT_SCOPE)
endfunction()

# The program with the bench of a point.
function(simt_program out name point)
  get_property(program GLOBAL PROPERTY HEDDLE_PROGRAM_${name}_${point})
  set(${out} tb_${name}_${program} PARENT_SCOPE)
endfunction()

# What the program of a point links beside the twin there: the twins of its other points.
function(simt_other_twins out name point)
  simt_program(program ${name} ${point})
  get_property(with_twin GLOBAL PROPERTY HEDDLE_TWIN_POINTS_${program})
  set(twins "")
  foreach(other ${with_twin})
    if(NOT other STREQUAL point)
      list(APPEND twins $<TARGET_FILE:twin_${name}_${other}>)
    endif()
  endforeach()
  set(${out} "${twins}" PARENT_SCOPE)
endfunction()

# What a bench links that is linked by hand, with these twins: another twin in place of its own, or a mutant of the block.
function(_simt_link out)
  set(sanitize "")
  if(HEDDLE_SANITIZE)
    set(sanitize -fsanitize=${HEDDLE_SANITIZE})
  endif()
  set(${out} $<TARGET_FILE:heddle_bench> $<TARGET_FILE:heddle_base> ${ARGN} $<TARGET_FILE:verilated_runtime> -lsystemc -lfmt
             -lz -lpthread ${sanitize} PARENT_SCOPE)
endfunction()

# The program ${program} with the benches of ${name} at ${points}. Its source names the twins of all points: those of
# the others are declared to it and no more.
function(_simt_bench name program points source twins)
  set(bench tb_${name}_${program})
  set(declared ${CMAKE_BINARY_DIR}/declared/${name}/${program})
  foreach(other ${twins})
    if(NOT other IN_LIST points)
      file(CONFIGURE OUTPUT ${declared}/V${name}_${other}.h CONTENT "class V${name}_${other};\n")
    endif()
  endforeach()
  add_executable(${bench} ${source})
  target_include_directories(${bench} PRIVATE ${declared})
  list(JOIN points "," only)
  target_compile_definitions(${bench} PRIVATE HEDDLE_ONLY_POINTS="${only}")
  target_link_libraries(${bench} PRIVATE heddle_bench verilated_runtime)
  target_precompile_headers(${bench} REUSE_FROM heddle_bench)
  add_dependencies(tb_${name} ${bench})
  foreach(point ${points})
    set_property(GLOBAL PROPERTY HEDDLE_PROGRAM_${name}_${point} ${program})
    # for scripts/tb and the tests that run benches: the first point of a block is the one that is run if none is named
    get_property(benches GLOBAL PROPERTY HEDDLE_BENCHES)
    set(line "${name} ${point} ${CMAKE_CURRENT_BINARY_DIR}/${bench}\n")
    if(point STREQUAL B_FIRST)
      set(benches "${line}${benches}")
    else()
      string(APPEND benches "${line}")
    endif()
    set_property(GLOBAL PROPERTY HEDDLE_BENCHES "${benches}")
  endforeach()
endfunction()

# Twin, lockstep and flop count of ${name} at ${point}, whose fragments come from the design point ${source}.
macro(_simt_point source parameters)
  simt_program(program ${name} ${point})
  set(fragments ${CMAKE_BINARY_DIR}/points/${name}/${point})
  _simt_fragments(files ${fragments} ${source} ${name} "${parameters}" "${B_PACKAGES}")
  _simt_twin(${name} ${point} ${fragments} "${sources}" ${files})
  target_link_libraries(${program} PRIVATE twin_${name}_${point})
  set_property(GLOBAL APPEND PROPERTY HEDDLE_TWIN_POINTS_${program} ${point})
  list(APPEND twins $<TARGET_FILE:twin_${name}_${point}>)
  add_test(NAME ${name}.random.${point} COMMAND $<TARGET_FILE:${program}> --point ${point} --random ${B_RANDOM} --seed 1)
  add_test(NAME ${name}.flops.${point}
           COMMAND ${kit}/flops --bench $<TARGET_FILE:${program}> --point ${point} --top ${name}
                   --include ${fragments} ${sources})
  set_tests_properties(${name}.random.${point} ${name}.flops.${point} PROPERTIES TIMEOUT 300)
endmacro()

# The programs of a block's benches: one a design point, those that are named TOGETHER, one for each point that is left.
macro(_simt_programs)
  set(programs ${B_POINTS})
  foreach(program ${B_POINTS})
    set(points_of_${program} ${points})
    list(FILTER points_of_${program} INCLUDE REGEX "^${program}(_|$)")
  endforeach()
  set(placed "")
  foreach(group ${B_TOGETHER})
    _simt_named(program members ${group})
    if(NOT program IN_LIST programs)
      list(APPEND programs ${program})
      set(points_of_${program} "")
    endif()
    list(APPEND points_of_${program} ${members})
    list(APPEND placed ${members})
  endforeach()
  set(alone ${B_CORNERS} ${B_ALONE})
  list(TRANSFORM alone REPLACE ":.*" "")
  foreach(point ${alone})
    if(NOT point IN_LIST placed)
      list(APPEND programs ${point})
      set(points_of_${point} ${point})
    endif()
  endforeach()
  foreach(program ${programs})
    _simt_bench(${name} ${program} "${points_of_${program}}" ${tb}/${name}_tb.cpp "${bench_points}")
  endforeach()
endmacro()

# The parameters of a proof with PCs and words as wide as the papers' points have them, and with ${own} in place of others.
function(_simt_full out proof own)
  list(TRANSFORM proof REPLACE "^(PcBits|WordBits)=.*" "\\1=32")
  list(TRANSFORM proof REPLACE "^IdBits=.*" "IdBits=9")
  foreach(one ${own})
    string(REGEX REPLACE "=.*" "=" key ${one})
    list(FILTER proof EXCLUDE REGEX "^${key}")
  endforeach()
  set(${out} "${proof};${own}" PARENT_SCOPE)
endfunction()

# The variables of these names as a JSON object of lists of strings; B_ is left out of the keys.
function(_simt_json out)
  set(fields "")
  foreach(variable ${ARGN})
    string(TOLOWER ${variable} key)
    string(REGEX REPLACE "^b_" "" key ${key})
    list(TRANSFORM ${variable} REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE items)
    list(JOIN items ", " items)
    list(APPEND fields "\"${key}\": [${items}]")
  endforeach()
  list(JOIN fields ", " fields)
  set(${out} "{${fields}}" PARENT_SCOPE)
endfunction()

function(simt_block name)
  cmake_parse_arguments(B "NO_PACKAGE"
                        "ROOM;FIRST;ENGINE;INDUCTION;BOUND;COVER;SMALL;RANDOM;MUTANT_BOUND;WIDE_BOUND;WIDE_COVER;FULL_BOUND;FULL_WIDE"
                        "PARAMETERS;PACKAGES;MODULES;SHAPES;POINTS;CORNERS;ALONE;TOGETHER;PROOF;WIDE;FULL;DEEP" ${ARGN})
  if(B_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "simt_block(${name}): unknown arguments ${B_UNPARSED_ARGUMENTS}")
  endif()
  foreach(needed PARAMETERS POINTS PROOF BOUND COVER)
    if(NOT DEFINED B_${needed})
      message(FATAL_ERROR "simt_block(${name}): ${needed} is missing")
    endif()
  endforeach()
  if("${B_PROOF};${B_WIDE}" MATCHES "PcBits=[12](;|$)")
    message(FATAL_ERROR "simt_block(${name}): PROOF and WIDE need PcBits of at least 3: with fewer nobody runs at a PC "
                        "beside NoPc's")
  endif()
  if(NOT DEFINED B_ROOM)
    set(B_ROOM ${name})
  endif()
  if(NOT DEFINED B_INDUCTION)
    set(B_INDUCTION 1)
  endif()
  if(NOT DEFINED B_RANDOM)
    set(B_RANDOM 100000)
  endif()
  if(NOT DEFINED B_FULL_BOUND)
    set(B_FULL_BOUND 6)
  endif()
  if(NOT DEFINED B_FULL_WIDE)
    set(B_FULL_WIDE 8)
  endif()
  if(NOT DEFINED B_MUTANT_BOUND)
    set(B_MUTANT_BOUND ${B_BOUND})
  endif()
  set(rtl ${PROJECT_SOURCE_DIR}/rtl/${B_ROOM})
  set(tb ${PROJECT_SOURCE_DIR}/tb/${B_ROOM})
  set(kit ${PROJECT_SOURCE_DIR}/tb/bench)
  set(packages ${B_PACKAGES})
  list(TRANSFORM packages REPLACE "^[^/]+$" "base/\\0")
  list(TRANSFORM packages REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/rtl/\\1_pkg.sv")
  if(NOT B_NO_PACKAGE)
    list(APPEND packages ${rtl}/${name}_pkg.sv)
  endif()
  set(modules ${rtl}/${name}.sv)
  foreach(module ${B_MODULES})
    list(APPEND modules ${rtl}/${module}.sv)
  endforeach()
  set(sources ${packages} ${modules})
  foreach(source ${sources})
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "simt_block(${name}): ${source} is missing")
    endif()
  endforeach()
  if(NOT B_SHAPES)
    set(B_SHAPES ":")
  endif()

  # bench, with a twin a point
  add_custom_target(tb_${name})
  set(bench_points ${B_CORNERS})
  list(TRANSFORM bench_points REPLACE ":.*" "")
  foreach(shape ${B_SHAPES})
    _simt_named(kind shape_parameters ${shape})
    foreach(design_point ${B_POINTS})
      _simt_shaped(point ${design_point} "${kind}")
      list(APPEND points ${point})
    endforeach()
  endforeach()
  list(APPEND bench_points ${points})
  _simt_programs()
  foreach(shape ${B_SHAPES})
    _simt_named(kind shape_parameters ${shape})
    foreach(design_point ${B_POINTS})
      _simt_shaped(point ${design_point} "${kind}")
      _simt_point(${design_point} "${B_PARAMETERS};${shape_parameters}")
      add_test(NAME ${name}.cases.${point} COMMAND ${program} --point ${point} --waves ${CMAKE_BINARY_DIR}/waveforms)
      set_tests_properties(${name}.cases.${point} PROPERTIES TIMEOUT 300)
    endforeach()

    # proof on the small point
    set(test ${name}.proof)
    if(kind)
      set(test ${name}.proof.${kind})
    endif()
    set(fragments ${CMAKE_BINARY_DIR}/points/${test})
    _simt_fragments(files ${fragments} none ${name} "${B_PROOF};${shape_parameters}" "${B_PACKAGES}")
    set(proof --top ${name}_props --include ${fragments} --packages ${packages} --twin ${modules}
              --props ${tb}/${name}_props.sv)
    if(B_ENGINE)
      list(APPEND proof --engine ${B_ENGINE})
    endif()
    foreach(deep ${B_DEEP})
      list(APPEND proof --deep ${deep})
    endforeach()
    add_test(NAME ${test}
             COMMAND ${kit}/prove ${proof} --induction ${B_INDUCTION} --bound ${B_BOUND}
                     --cover ${B_COVER} --work ${CMAKE_BINARY_DIR}/proofs/${test})
    set_tests_properties(${test} PROPERTIES TIMEOUT 900 COST 100)  # long: started first
    if(NOT mutated_proof)
      set(mutated_proof ${proof})
    endif()
    _simt_full(full "${B_PROOF}" "${B_FULL}")
    set(include ${CMAKE_BINARY_DIR}/points/${test}.full)
    _simt_fragments(files ${include} none ${name} "${full};${shape_parameters}" "${B_PACKAGES}")
    set(top ${name}_props)
    set(twin ${modules})
    set(props ${tb}/${name}_props.sv)
    _simt_json(announced name kind top include packages twin props B_FULL_BOUND B_FULL_WIDE B_INDUCTION)
    set_property(GLOBAL APPEND PROPERTY HEDDLE_WIDTHS "${announced}")  # for tests/rtl/widths
    if(B_WIDE)
      set(fragments ${CMAKE_BINARY_DIR}/points/${test}.wide)
      _simt_fragments(files ${fragments} none ${name} "${B_WIDE};${shape_parameters}" "${B_PACKAGES}")
      set(proof --top ${name}_props --include ${fragments} --packages ${packages} --twin ${modules}
                --props ${tb}/${name}_props.sv --engine abc-bounded)
      add_test(NAME ${test}.wide
               COMMAND ${kit}/prove ${proof} --bound ${B_WIDE_BOUND} --cover ${B_WIDE_COVER}
                       --work ${CMAKE_BINARY_DIR}/proofs/${test}.wide)
      set_tests_properties(${test}.wide PROPERTIES TIMEOUT 900 COST 100)
    endif()
  endforeach()

  foreach(corner ${B_CORNERS})
    _simt_named(point parameters ${corner})
    _simt_point(none "${parameters}")
  endforeach()

  set_property(GLOBAL APPEND_STRING PROPERTY HEDDLE_BLOCKS "${name} ${B_ROOM}\n")
  list(JOIN sources " " all_sources)
  set_property(GLOBAL APPEND_STRING PROPERTY HEDDLE_TWINS "${name} ${all_sources}\n")  # for list blocks, scripts/lint

  # the netlist that scripts/synth makes of the small point, in place of the twin there
  list(GET points 0 first_point)
  if(NOT DEFINED B_SMALL)
    set(B_SMALL ${first_point})
  endif()
  simt_program(small_program ${name} ${B_SMALL})
  simt_other_twins(other_twins ${name} ${B_SMALL})
  _simt_link(link ${other_twins})
  add_test(NAME ${name}.gates
           COMMAND ${PROJECT_SOURCE_DIR}/tests/area/gates ${name} --build ${CMAKE_BINARY_DIR} --point ${B_SMALL}
                   --bench $<TARGET_OBJECTS:${small_program}>
                   --header ${CMAKE_BINARY_DIR}/twins/V${name}_${B_SMALL}/V${name}_${B_SMALL}.h --cycles 3000
                   --link ${link}
           COMMAND_EXPAND_LISTS)
  set_tests_properties(${name}.gates PROPERTIES TIMEOUT 900 COST 50)
  _simt_json(announced name sources B_PARAMETERS B_PACKAGES B_SHAPES B_POINTS B_CORNERS B_SMALL)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_SYNTHESIS "${announced}")  # for scripts/synth

  # cuts of the twin's comparators and adders; the bench is for blocks whose properties take too long
  simt_program(first_program ${name} ${first_point})
  simt_other_twins(other_twins ${name} ${first_point})
  list(JOIN packages "\", \"" joined)
  _simt_link(link ${other_twins})
  list(JOIN link "\", \"" link)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/bench_of_cuts/${name}.json
       CONTENT "{\"point\": \"${first_point}\", \"header\": \"twins/V${name}_${first_point}/V${name}_${first_point}.h\",
\"packages\": [\"${joined}\"],
\"objects\": [\"$<JOIN:$<TARGET_OBJECTS:${first_program}>,\", \">\"],
\"link\": [\"${link}\"]}\n")
  add_test(NAME ${name}.widths COMMAND ${PROJECT_SOURCE_DIR}/tests/rtl/widths ${name} --build ${CMAKE_BINARY_DIR})
  set_tests_properties(${name}.widths PROPERTIES TIMEOUT 3600 COST 50 SKIP_RETURN_CODE 77)

  # mutants: of the block against the reference model, of the twin against the properties
  _simt_link(link ${twins})
  add_test(NAME ${name}.mutants
           COMMAND ${kit}/mutants ${tb}/mutants.yaml --name ${name} --header rtl/${B_ROOM}/${name}.h
                   --bench ${tb}/${name}_tb.cpp --point ${first_point}
                   --commands ${CMAKE_BINARY_DIR}/compile_commands.json --root ${PROJECT_SOURCE_DIR}
                   --work ${CMAKE_BINARY_DIR}/mutants/${name} --bound ${B_MUTANT_BOUND} ${mutated_proof}
                   --link ${link})
  set_tests_properties(${name}.mutants PROPERTIES TIMEOUT 900 COST 100)  # long: started first
  cmake_language(DEFER GET_CALL patience is_deferred)  # once a folder, behind the tests that are its own
  if(NOT is_deferred)
    cmake_language(DEFER ID patience CALL heddle_be_patient)
  endif()
endfunction()
