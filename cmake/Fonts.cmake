# The fonts travel with `cmake --install`, where the system has them when this is configured, their licences beside
# them; a .deb depends on their packages instead. The program looks in its own folder first.
function(warploom_font family package)
  foreach(name IN LISTS ARGN)
    unset(font_file CACHE)
    find_file(font_file NAMES ${name}.otf ${name}.ttf NO_DEFAULT_PATH
      PATHS /usr/share/fonts/opentype/${family} /usr/share/fonts/truetype/${family} /usr/share/fonts/${family}
        /usr/local/share/fonts)
    if(NOT font_file)
      message(STATUS "Font ${name}: not found, not installed (package ${package})")
      continue()
    endif()
    install(FILES ${font_file} DESTINATION ${CMAKE_INSTALL_DATADIR}/warploom/fonts COMPONENT archive)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/warploom/fonts
        RENAME ${family}-copyright COMPONENT archive)
    endif()
  endforeach()
  unset(font_file CACHE)
endfunction()

warploom_font(inter fonts-inter Inter-Regular Inter-SemiBold)
warploom_font(jetbrains-mono fonts-jetbrains-mono JetBrainsMono-Regular)
