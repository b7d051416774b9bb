# xxHash is used as a header alone (XXH_INLINE_ALL).
find_path(XXHASH_INCLUDE_DIR xxhash.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxHash REQUIRED_VARS XXHASH_INCLUDE_DIR)
if(xxHash_FOUND AND NOT TARGET xxHash::headers)
  add_library(xxHash::headers INTERFACE IMPORTED)
  target_include_directories(xxHash::headers INTERFACE ${XXHASH_INCLUDE_DIR})
endif()
