# What a desktop wants of an installed program, and the packages that cpack makes: a .deb for Debian, and a .tar.xz that
# runs from any folder. The component `debian` is in the first alone, `archive` in the second alone.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(made ${PROJECT_BINARY_DIR}/packaging)
set(share ${CMAKE_INSTALL_DATADIR})

# The day of the last commit, so that a package made again is the same.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE committed
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(committed AND NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  set(ENV{SOURCE_DATE_EPOCH} ${committed})
endif()
string(TIMESTAMP release_day "%Y-%m-%d" UTC)
string(TIMESTAMP release_time "%a, %d %b %Y %H:%M:%S +0000" UTC)

set(WARPLOOM_MAINTAINER "The Warploom authors <maintainers@warploom.example>" CACHE STRING "Who packages this")
set(release 1)
configure_file(packaging/org.warploom.Warploom.metainfo.xml.in ${made}/org.warploom.Warploom.metainfo.xml @ONLY)
configure_file(packaging/changelog.in ${made}/changelog @ONLY)

# The program itself says what the man page and the completions hold.
install(CODE "execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/packaging/shell_files.py
  $<TARGET_FILE:warploom> ${made} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9nkf changelog warploom.1 WORKING_DIRECTORY ${made} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md OUTPUT_FILE ${made}/news.gz
  COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${made}/warploom.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/warploom.bash DESTINATION ${share}/bash-completion/completions RENAME warploom)
install(FILES ${made}/warploom.fish DESTINATION ${share}/fish/vendor_completions.d)
install(FILES packaging/warploom.desktop DESTINATION ${share}/applications)
install(FILES packaging/warploom.svg DESTINATION ${share}/icons/hicolor/scalable/apps)
install(FILES packaging/warploom.xml DESTINATION ${share}/mime/packages)
install(FILES ${made}/org.warploom.Warploom.metainfo.xml DESTINATION ${share}/metainfo)
# Licences of what is compiled into the program.
foreach(part libimgui-dev libstb-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libglm-dev libfmt-dev)
  if(EXISTS /usr/share/doc/${part}/copyright)
    install(FILES /usr/share/doc/${part}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/parts RENAME ${part})
  endif()
endforeach()

# Debian's zsh does not look into site-functions.
install(FILES ${made}/_warploom DESTINATION ${share}/zsh/site-functions COMPONENT archive)
install(FILES ${made}/_warploom DESTINATION ${share}/zsh/vendor-completions COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME changelog.Debian.gz COMPONENT debian
  EXCLUDE_FROM_ALL)
install(FILES ${made}/news.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME changelog.gz COMPONENT debian
  EXCLUDE_FROM_ALL)
install(FILES packaging/lintian-overrides DESTINATION ${share}/lintian/overrides RENAME warploom COMPONENT debian
  EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB TXZ)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageContents.cmake)
set(CPACK_PACKAGE_CONTACT ${WARPLOOM_MAINTAINER})
set(CPACK_PACKAGE_FILE_NAME warploom-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Fonts, and what is loaded while the program runs.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-inter, fonts-jetbrains-mono, libegl1, libgl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libegl-mesa0, libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, ffmpeg")  # for maps that users write, and for films
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "A thread map decides which thread works on which cell of a domain, and how
many threads are wasted. Warploom runs the real kernels live, draws what each
thread does, swaps one map for another while the program runs, and times every
kernel. Its scenes are fractals, triangles and tetrahedra, bins of particles,
and networks of butterflies such as the FFT.

Without an NVIDIA GPU everything runs on the threads of the CPU.")
include(CPack)
