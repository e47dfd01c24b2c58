# How sources become objects. A room is a folder of them, a list a TypeList of a header whose lines name headers.
#
# With WARPLOOM_GROUP_SOURCES several sources are compiled as one: half of the time of a small one is the reading of
# headers. It is off for those who edit, as a touched source then compiles its neighbours, too. Sources that are grouped
# may not use one name in their unnamed namespaces.
option(WARPLOOM_GROUP_SOURCES "Compile several sources as one: a quicker whole build, a slower touched source" OFF)

# warploom_sources(TARGET SOURCE...): plain C++.
function(warploom_sources target)
  target_sources(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${WARPLOOM_GROUP_SOURCES} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# warploom_kernels(TARGET SOURCE...): .cu sources, in the language that this build has for them. On the CPU they are what
# is hot: loops that GCC makes faster at -O3 than at -O2, which is enough for all else and takes half of the time.
function(warploom_kernels target)
  if(NOT WARPLOOM_WITH_CUDA)
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE CXX
      COMPILE_OPTIONS "-xc++;$<$<CONFIG:Release>:-O3>")
  else()
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_sources(${target} PRIVATE ${ARGN})
endfunction()

# warploom_grouped(TARGET NAME COUNT SOURCE...): .cu sources, COUNT of them as one where sources are grouped. nvcc takes
# long over some, which say so in a line of theirs, `// nvcc: by itself`: where it makes code, they are never grouped.
function(warploom_grouped target name count)
  set(sources ${ARGN})
  if(NOT WARPLOOM_GROUP_SOURCES)
    warploom_kernels(${target} ${sources})
    return()
  endif()
  if(WARPLOOM_WITH_CUDA AND NOT WARPLOOM_PROGRAMS STREQUAL "short")
    foreach(source IN LISTS ARGN)
      file(STRINGS ${source} alone REGEX "^// nvcc: by itself$" LIMIT_COUNT 1)
      if(alone)
        list(REMOVE_ITEM sources ${source})
        warploom_kernels(${target} ${source})
      endif()
    endforeach()
  endif()
  set(number 0)
  while(sources)
    list(SUBLIST sources 0 ${count} group)
    list(REMOVE_ITEM sources ${group})
    list(TRANSFORM group REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE text)
    list(JOIN text "" text)
    math(EXPR number "${number} + 1")
    set(file ${CMAKE_CURRENT_BINARY_DIR}/grouped/${name}_${number}.cu)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    warploom_kernels(${target} ${file})
  endwhile()
endfunction()

# warploom_rooms(TARGET FOLDER...): every source below the folders: a new file needs no line of CMake.
function(warploom_rooms target)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${folder}/*.cu)
    warploom_sources(${target} ${sources})
    if(kernels)
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
      string(MAKE_C_IDENTIFIER ${name} name)
      warploom_grouped(${target} ${name} 3 ${kernels})
    endif()
  endforeach()
endfunction()

# warploom_list(RESULT FILE LIST): the lines of `using LIST = TypeList<` in a header, "TYPE|NAME" each. A line is a type
# and a comment that names it, `Type,  // name` or `Type,  // header.h`, up to the one that closes the list.
function(warploom_list result file list)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines)
  set(items)
  set(inside FALSE)
  foreach(line IN LISTS lines)
    if(line MATCHES "^using ${list} = TypeList<")
      set(inside TRUE)
    elseif(inside)
      if(NOT line MATCHES "^ +(.*[^,;])(,|>;) *// ([a-z0-9_]+)(\\.h)?$")
        message(FATAL_ERROR "${file}: cannot make a source of the line\n  ${line}\n"
          "Each line of ${list} is a type and a comment that names it: `Type,  // name.h`.")
      endif()
      list(APPEND items "${CMAKE_MATCH_1}|${CMAKE_MATCH_3}")
      if(CMAKE_MATCH_2 STREQUAL ">;")
        break()
      endif()
    endif()
  endforeach()
  if(NOT items)
    message(FATAL_ERROR "${file}: no list `using ${list} = TypeList<` with a type and its name in each line")
  endif()
  set(${result} "${items}" PARENT_SCOPE)
endfunction()

# warploom_instances(TARGET TEMPLATE COUNT NAME ITEM...): a .cu source an item "TYPE|NAME", made of TEMPLATE by what stands
# there as @type@ and @name@ (and any variable of the caller); COUNT items per source where sources are grouped. NAME
# begins the sources' names.
function(warploom_instances target template count prefix)
  if(NOT WARPLOOM_GROUP_SOURCES)
    set(count 1)
  endif()
  file(READ ${template} form)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${template})
  set(items ${ARGN})
  while(items)
    list(SUBLIST items 0 ${count} group)
    list(REMOVE_ITEM items ${group})
    set(text)
    foreach(item IN LISTS group)
      string(REGEX MATCH "^(.*)\\|(.*)$" matched "${item}")
      set(type "${CMAKE_MATCH_1}")
      set(name "${CMAKE_MATCH_2}")
      string(CONFIGURE "${form}" one @ONLY)
      string(APPEND text "${one}")
    endforeach()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_${name}.cu)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    warploom_kernels(${target} ${file})
  endwhile()
endfunction()
