# hnswlib is headers alone.
find_path(HNSWLIB_INCLUDE_DIR hnswlib/hnswalg.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(hnswlib REQUIRED_VARS HNSWLIB_INCLUDE_DIR)
if(hnswlib_FOUND AND NOT TARGET hnswlib::headers)
  add_library(hnswlib::headers INTERFACE IMPORTED)
  target_include_directories(hnswlib::headers INTERFACE ${HNSWLIB_INCLUDE_DIR})
endif()
