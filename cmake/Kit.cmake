# The headers that kernels are made of, inside the program as text: own maps are compiled against them, wherever the
# program is. As a script, run when one of them changes: -DROOT= -DFILES= (a list file) -DOUT=.
if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS ${FILES} files)
  set(text "// Made by cmake/Kit.cmake.\n#include \"gpu/own/kit.h\"\n\nnamespace warploom::detail {\nconst KitFile kit_files[] = {\n")
  foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} content)
    string(APPEND text "    {\"${file}\", R\"-kit-(${content})-kit-\"},\n")
  endforeach()
  string(APPEND text "};\nconst std::size_t kit_count = sizeof kit_files / sizeof *kit_files;\n}  // namespace warploom::detail\n")
  file(WRITE ${OUT} "${text}")
  return()
endif()

# warploom_kit(TARGET): adds the source to it. `warploom_kit_files` makes the source alone, for checks that build nothing.
function(warploom_kit target)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/gpu/core/*.h ${PROJECT_SOURCE_DIR}/gpu/maps/*.h ${PROJECT_SOURCE_DIR}/gpu/own/std/*.h
    ${PROJECT_SOURCE_DIR}/gpu/own/*.py)
  file(GLOB more CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/gpu/own/*.h ${PROJECT_SOURCE_DIR}/gpu/own/*.inc
    ${PROJECT_SOURCE_DIR}/gpu/scenes/*/maps/*.h ${PROJECT_SOURCE_DIR}/gpu/scenes/*/works/*.h
    ${PROJECT_SOURCE_DIR}/gpu/scenes/*/own/*.h ${PROJECT_SOURCE_DIR}/gpu/core/product.cpp
    ${PROJECT_SOURCE_DIR}/gpu/scenes/*/maps/domain.cpp ${PROJECT_SOURCE_DIR}/gpu/scenes/*/own/*.inc
    ${PROJECT_SOURCE_DIR}/gpu/scenes/*/own/*.py)
  list(APPEND files ${more})
  set(list ${CMAKE_CURRENT_BINARY_DIR}/kit_files.txt)
  list(JOIN files "\n" lines)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n" @ONLY)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/kit_files.cpp)
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  add_custom_command(OUTPUT ${source} DEPENDS ${paths} ${list} ${PROJECT_SOURCE_DIR}/cmake/Kit.cmake
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DFILES=${list} -DOUT=${source} -P
      ${PROJECT_SOURCE_DIR}/cmake/Kit.cmake
    COMMENT "Taking the headers of kernels into the program" VERBATIM)
  add_custom_target(warploom_kit_files DEPENDS ${source})
  target_sources(${target} PRIVATE ${source})
  add_dependencies(${target} warploom_kit_files)
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()
