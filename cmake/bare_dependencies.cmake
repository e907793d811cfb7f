# What the computing parts of the engine, their tests and benchmarks need: headers of the system, else of TANDEM_THIRD_PARTY.
find_package(Threads REQUIRED)

# bare_headers(target header package): an imported target of headers alone.
function(bare_headers target header)
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER "TANDEM_${header}_DIR" place)
  find_path(${place} ${header} HINTS ${TANDEM_THIRD_PARTY} REQUIRED)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${${place}})
endfunction()
bare_headers(nlohmann_json::nlohmann_json nlohmann/json.hpp)
bare_headers(CLI11::CLI11 CLI/CLI.hpp)

if(TANDEM_TESTS)
  find_package(GTest QUIET)
  if(NOT TARGET GTest::gmock)
    set(INSTALL_GTEST OFF)
    add_subdirectory(${TANDEM_THIRD_PARTY}/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
  endif()
endif()
