# Read by cpack for each kind of package: the components that belong to it.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(own debian)
else()
  set(own archive)
endif()
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build)
set(CPACK_INSTALL_CMAKE_PROJECTS "${build};warploom;Unspecified;/;${build};warploom;${own};/")
