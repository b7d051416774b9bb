# How every target of the project is compiled.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
add_library(tsmini_flags INTERFACE)
target_compile_features(tsmini_flags INTERFACE cxx_std_20)
# Contraction off: the same source gives the same digits on every machine. Kernels that want
# fused multiply-add ask for it by name.
set(tsmini_warnings
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND tsmini_warnings -Wno-restrict)  # false alarms on std::string in GCC 12 (PR 105651)
endif()
if(CMAKE_UNITY_BUILD)
  # A name of one source is no shadow over another's that it was joined with, nor does a class of
  # a source use what others cannot see; scripts/lint.sh looks for true ones.
  list(REMOVE_ITEM tsmini_warnings -Wshadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND tsmini_warnings -Wno-subobject-linkage)
  endif()
endif()
# What a precompiled header holds no longer counts as the system's: GCC 12 then reports its false
# alarms on std::string (PR 105329, PR 105651) in our name. For programs and tests, which precompile.
set(tsmini_precompiled_warnings
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overread>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>)
if(TSMINI_WERROR)
  list(APPEND tsmini_warnings -Werror)
endif()
target_compile_options(tsmini_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${tsmini_warnings}>)
if(TSMINI_SANITIZE)
  # With SSE4 as the least that a processor must have, Highway leaves out what it has for those with
  # less, EMU128, which took clang most of the time of the kernels. The release build tests the one
  # that its compiler gets (SCALAR before GCC 12.3).
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(tsmini_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-msse4.2;-maes;-mpclmul>)
  endif()
  target_compile_options(tsmini_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
    -fsanitize=${TSMINI_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
  target_link_options(tsmini_flags INTERFACE -fsanitize=${TSMINI_SANITIZE})
endif()
if(TSMINI_COVERAGE)
  target_compile_options(tsmini_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--coverage>)
  target_link_options(tsmini_flags INTERFACE --coverage)
endif()

# tsmini_joinable(TARGET): its sources may be joined, which is no mistake that clang-tidy should name.
function(tsmini_joinable target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
endfunction()

# tsmini_module(NAME SOURCES … [DEPENDS …] [INTERNAL]): one static library per module, tsmini::NAME
# outside; an internal one is for our programs alone and not installed.
function(tsmini_module name)
  cmake_parse_arguments(arg "INTERNAL" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(tsmini_${name} STATIC ${arg_SOURCES})
  add_library(tsmini::${name} ALIAS tsmini_${name})
  set_target_properties(tsmini_${name} PROPERTIES
    EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  tsmini_joinable(tsmini_${name})
  target_compile_features(tsmini_${name} PUBLIC cxx_std_20)
  target_include_directories(tsmini_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(tsmini_${name}
    PUBLIC ${arg_DEPENDS}
    PRIVATE ${arg_PRIVATE_DEPENDS} $<BUILD_INTERFACE:tsmini_flags>)
  if(NOT arg_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY TSMINI_MODULES tsmini_${name})
  endif()
endfunction()
