# Marked copies of a scene's maps, compiled with the program: they note what they compute, line by line (gpu/own/see.h).

# warploom_marker(): the program that marks headers while Warploom is built. It is not installed.
function(warploom_marker)
  add_executable(warploom-marker ${PROJECT_SOURCE_DIR}/gpu/own/marker/main.cpp ${PROJECT_SOURCE_DIR}/gpu/own/see.cpp
    ${PROJECT_SOURCE_DIR}/gpu/own/phrases.cpp ${PROJECT_SOURCE_DIR}/gpu/own/tokens.cpp)
  target_link_libraries(warploom-marker PRIVATE warploom_flags)
  target_include_directories(warploom-marker PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

# warploom_seen(TARGET FUNCTION...): of the scene in this folder: marks these functions in the headers maps/*.h, and
# compiles own/marked_maps.cpp against the marked ones, with a namespace of its own, so that no name meets a real one.
function(warploom_seen target)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} maps/*.h)
  list(JOIN ARGN "," functions)
  set(folder ${PROJECT_BINARY_DIR}/marked)
  list(TRANSFORM files PREPEND ${folder}/ OUTPUT_VARIABLE copies)
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME scene)
  add_custom_command(OUTPUT ${copies} DEPENDS ${paths} warploom-marker
    COMMAND warploom-marker ${PROJECT_SOURCE_DIR} ${folder} ${functions} ${files}
    COMMENT "Marking the maps of the scene ${scene}" VERBATIM)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/own/marked_maps.cpp)
  list(JOIN files "|" names)
  # For values at lines, not for speed; whoever reads warnings reads those of the real headers.
  set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES
    OBJECT_DEPENDS "${copies}" INCLUDE_DIRECTORIES ${folder} COMPILE_OPTIONS "-O1;-w"
    COMPILE_DEFINITIONS "warploom=warploom_seen;WARPLOOM_SEEN_FILES=\"${names}\""
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  # Made in this folder, used by a target of another one.
  add_custom_target(warploom_seen_${scene} DEPENDS ${copies})
  add_dependencies(${target} warploom_seen_${scene})
endfunction()
