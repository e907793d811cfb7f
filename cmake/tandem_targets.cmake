# One target a folder. A target sees only the folders it names: each exports an include root that holds a link to its own folder alone,
# so `#include "engine/plan/plan.h"` does not compile in a target that does not link engine_plan.
include(unity_groups)

set(TANDEM_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wno-missing-field-initializers)  # designated initializers leave the rest at its default on purpose
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND TANDEM_WARNINGS -Wno-restrict)  # false alarms of GCC 12 on std::string's operator+ (GCC bug 105329)
endif()
if(TANDEM_WERROR)
  list(APPEND TANDEM_WARNINGS -Werror)
endif()
set(TANDEM_FLAGS -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Fewer collections of the compiler's own garbage: a tenth of its time for some hundred MB.
  list(APPEND TANDEM_FLAGS --param=ggc-min-expand=1000 --param=ggc-min-heapsize=1000000)
endif()
set(TANDEM_LINK_FLAGS "")
find_program(TANDEM_GOLD ld.gold)
if(TANDEM_QUICK AND TANDEM_GOLD)
  list(APPEND TANDEM_LINK_FLAGS -fuse-ld=gold)  # two hundred programs, each in a third of the time that ld.bfd takes
endif()
if(TANDEM_SANITIZE)
  list(APPEND TANDEM_FLAGS -fsanitize=${TANDEM_SANITIZE} -fno-omit-frame-pointer)
  if(TANDEM_SANITIZE MATCHES "undefined")
    list(APPEND TANDEM_FLAGS -fno-sanitize-recover=all)
  endif()
  list(APPEND TANDEM_LINK_FLAGS -fsanitize=${TANDEM_SANITIZE})
endif()

# What a step of training, a stream of points or a frame of the window waits for is optimised as the build type says. All else runs once in a while
# and is two thirds of the sources: a release optimises it as far as costs little of the compiler's time. With TANDEM_QUICK nothing but the engine
# (and the emulator that runs its kernels in tests) has more than the least.
function(tandem_optimisation target)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(computes "^engine/(backend|checksum|data|distribute|event_files|tensor|thread|train)|cuda_emulator$")
  set(streams "^engine/(custom_training|parameter_server|run)|^agent/(history|transport|wire)|^ui/(canvas|charts|parallel|theme|widgets)")
  if(TANDEM_QUICK AND NOT folder MATCHES "${computes}")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Og>)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT folder MATCHES "${computes}|${streams}")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
endfunction()

function(tandem_compile_settings target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE ${TANDEM_WARNINGS} ${TANDEM_FLAGS})
  tandem_optimisation(${target})
  target_link_options(${target} PRIVATE ${TANDEM_LINK_FLAGS})
endfunction()

# tandem_library(engine_spec SOURCES a.cpp ... PUBLIC other_folder ... PRIVATE library ...)
# Without SOURCES it is header-only. Called from the folder itself.
function(tandem_library target)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(root ${CMAKE_BINARY_DIR}/include/${target})
  cmake_path(GET folder PARENT_PATH parent)
  file(MAKE_DIRECTORY ${root}/${parent})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${folder} SYMBOLIC)
  set(scope INTERFACE)
  if(ARG_SOURCES)
    set(scope PUBLIC)
    add_library(${target} STATIC ${ARG_SOURCES})
    tandem_compile_settings(${target})
    tandem_unity(${target})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}>)
    target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${root}>)
    target_link_libraries(${target} INTERFACE ${ARG_PUBLIC} ${ARG_PRIVATE})
  endif()
  # The installed package: engine/CMakeLists.txt, agent/distributed/CMakeLists.txt.
  if(folder MATCHES "^engine/")
    tandem_install(${target} ${scope} TandemTargets)
  elseif(folder MATCHES "^agent/(distributed|local|transport|trust|wire)$")
    tandem_install(${target} ${scope} TandemDistributedTargets)
  endif()
endfunction()

# tandem_install(engine_spec PUBLIC TandemTargets): the target is part of the installed library, component `library`.
function(tandem_install target scope export)
  target_include_directories(${target} ${scope} $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tandem>)
  install(TARGETS ${target} EXPORT ${export} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/tandem COMPONENT library)
endfunction()

# tandem_rows(sources FOLDER layers EXCEPT window_geometry ... INTO layer_files.inc)
# For a folder whose files, and those of its folders, each add rows to one table, so that a new file is enough. Writes into the binary
# folder a line TANDEM_ROWS(gaussianNoise) for each source, by its name, which whoever joins the table includes. `sources` becomes the list of all sources;
# those of EXCEPT have no rows.
function(tandem_rows sources)
  cmake_parse_arguments(ARG "" "FOLDER;INTO" "EXCEPT" ${ARGN})
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER})
  file(GLOB files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${root}/*.cpp ${root}/*/*.cpp)
  set(text "// Made by CMake from the files of ${ARG_FOLDER}/: tandem_rows().\n")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    if(NOT name IN_LIST ARG_EXCEPT)
      string(REPLACE "_" ";" words ${name})
      list(POP_FRONT words camel)
      foreach(word IN LISTS words)
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND camel ${first}${rest})
      endforeach()
      string(APPEND text "TANDEM_ROWS(${camel})\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${ARG_INTO} CONTENT "${text}" @ONLY)
  set(${sources} ${files} PARENT_SCOPE)
endfunction()

# tandem_program(tandem-cli SOURCES main.cpp LINK agent_client ...)
function(tandem_program target)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  tandem_compile_settings(${target})
  tandem_unity(${target})
  target_link_libraries(${target} PRIVATE ${ARG_LINK})
endfunction()

# tandem_test(engine_spec_test SOURCES cluster_spec_test.cpp ... LINK engine_spec [LABELS slow] [TIMEOUT 600])
# A GoogleTest program with its main; each test becomes one of ctest's. TANDEM_TEST_DATA and TANDEM_RESOURCES are folders.
function(tandem_test target)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)  # against what hangs: a loaded machine takes a hundred times as long for threads that wait for each other
  endif()
  if(TANDEM_SANITIZE)  # instrumented code is up to ten times slower
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5")
  endif()
  add_executable(${target} ${ARG_SOURCES})
  tandem_compile_settings(${target})
  tandem_unity(${target})
  if(NOT TANDEM_QUICK)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)  # a third of the compiler's time less than -O3, and what tests compute is small
  endif()
  if(TANDEM_UNITY)
    target_compile_options(${target} PRIVATE -Wno-shadow)  # a local name of one test may be a constant of another
  endif()
  target_link_libraries(${target} PRIVATE ${ARG_LINK} tests_support GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE TANDEM_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
                             TANDEM_RESOURCES="${CMAKE_SOURCE_DIR}/resources" TANDEM_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  include(GoogleTest)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
