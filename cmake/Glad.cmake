# Generates the OpenGL 4.5 core and EGL 1.5 loaders in the build folder, off line, with Debian's glad.
find_program(glad_program glad REQUIRED)
set(glad_folder ${PROJECT_BINARY_DIR}/glad)
set(glad_sources ${glad_folder}/src/gl.c ${glad_folder}/src/egl.c)
add_custom_command(OUTPUT ${glad_sources}
  COMMAND ${glad_program} --api gl:core=4.5,egl=1.5 --reproducible --out-path ${glad_folder} --quiet c
  COMMENT "Generating the OpenGL and EGL loaders" VERBATIM)
add_library(warploom_glad STATIC ${glad_sources})
target_include_directories(warploom_glad SYSTEM PUBLIC ${glad_folder}/include)
target_link_libraries(warploom_glad PUBLIC ${CMAKE_DL_LIBS})
