# Headers, libraries, programs and a package that find_package(tsmini) finds.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY TSMINI_MODULES)
add_library(tsmini_all INTERFACE)
add_library(tsmini::tsmini ALIAS tsmini_all)
set_target_properties(tsmini_all PROPERTIES EXPORT_NAME tsmini)
target_link_libraries(tsmini_all INTERFACE ${modules})

install(TARGETS ${modules} tsmini_all EXPORT tsmini_targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tsmini_targets FILE tsminiTargets.cmake NAMESPACE tsmini::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tsmini)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tsminiConfig.cmake.in ${PROJECT_BINARY_DIR}/tsminiConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tsmini)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tsminiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tsminiConfig.cmake ${PROJECT_BINARY_DIR}/tsminiConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tsmini)
if(TSMINI_TOOLS)
  install(TARGETS tsmini RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TSMINI_RIVALS)
  install(TARGETS tsmini-rivals RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
