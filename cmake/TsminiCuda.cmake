# What is compiled for GPUs. With TSMINI_CUDA=EMULATED the same sources are compiled as C++, against
# the emulator of tests/gpu_emulator: for tests where there is no GPU.
if(NOT TSMINI_CUDA)
  return()
endif()

if(TSMINI_EMULATED_CUDA)
  add_subdirectory(${PROJECT_SOURCE_DIR}/tests/gpu_emulator)
  set(tsmini_cuda_runtime gpu_emulator)
  set(tsmini_blas_source ${PROJECT_SOURCE_DIR}/tests/gpu_emulator/blas.cpp)
  # Most of the time of an emulated step, and nothing of ours that is to be tested.
  set_source_files_properties(${tsmini_blas_source} PROPERTIES
    COMPILE_OPTIONS "-O3$<$<BOOL:${TSMINI_SANITIZE}>:;-fno-sanitize=all>"
    SKIP_UNITY_BUILD_INCLUSION ON)
else()
  # Linked statically: a program that was built for GPUs starts where no CUDA is installed.
  set(tsmini_cuda_runtime CUDA::cudart_static)
  set(tsmini_blas_source gpu/blas.cpp)
endif()

# Newer GPUs than these get what was compiled for 90, which await_previous() asks for.
set(TSMINI_CUDA_ARCHITECTURES "80-virtual;90" CACHE STRING "The GPUs to compile for, as CUDA_ARCHITECTURES takes them")

# tsmini_cuda_module(NAME …): a module (tsmini_module) with kernels, its .cu files among the sources,
# or with calls of the CUDA runtime. An emulated one is not installed.
function(tsmini_cuda_module name)
  cmake_parse_arguments(arg "INTERNAL" "" "SOURCES" ${ARGN})
  set(kernels ${arg_SOURCES})
  list(FILTER kernels INCLUDE REGEX "[.]cu$")
  set(internal "")
  if(TSMINI_EMULATED_CUDA AND NOT arg_INTERNAL)
    set(internal INTERNAL)
  endif()
  tsmini_module(${name} ${ARGN} ${internal})
  target_link_libraries(tsmini_${name} PUBLIC ${tsmini_cuda_runtime})
  # The kernels of one file have the names of another's.
  set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(TSMINI_EMULATED_CUDA)
    # Pragmas are nvcc's; in templates GCC takes an index of an array for a change of its sign.
    set(options -Wno-unknown-pragmas $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>
      $<$<CXX_COMPILER_ID:GNU>:-Wno-sign-conversion>)
    set_source_files_properties(${kernels} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "${options}")
  else()
    set_target_properties(tsmini_${name} PROPERTIES CUDA_ARCHITECTURES "${TSMINI_CUDA_ARCHITECTURES}")
    target_compile_options(tsmini_${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  endif()
endfunction()
