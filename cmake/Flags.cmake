# What every target of ours is compiled with.
add_library(warploom_flags INTERFACE)
target_compile_features(warploom_flags INTERFACE cxx_std_20)
# CMake 3.25 knows no C++20 flag for nvcc 13 and refuses to look for one.
target_compile_options(warploom_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wpedantic>
  # GCC 12 sees overlaps in std::string that are not there (its bug 105651), and overflows in a precompiled one.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>
  # Clang also warns where a nested class has a name of the class around it.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-shadow>
  # Who is in reach is told by roundings (gpu/core/rounded.h): with -march=native a compiler would contract them.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-unused-parameter,-ffp-contract=off>)
if(WARPLOOM_WERROR)
  target_compile_options(warploom_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror -Werror=all-warnings>)
endif()
if(WARPLOOM_SANITIZE)
  list(JOIN WARPLOOM_SANITIZE "," sanitizers)
  target_compile_options(warploom_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_link_options(warploom_flags INTERFACE -fsanitize=${sanitizers})
  # The checks carry a hundred megabytes of source locations. Without relocating them the program starts twice as fast.
  target_compile_options(warploom_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-pie>)
  target_link_options(warploom_flags INTERFACE -no-pie)
  # These builds define NDEBUG for their speed, and still check which thread calls what.
  target_compile_definitions(warploom_flags INTERFACE WARPLOOM_CHECK_THREADS=1)
endif()
# There the CPU engine holds group programs to their contract (gpu/core/checked_group.h).
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR WARPLOOM_SANITIZE)
  target_compile_definitions(warploom_flags INTERFACE WARPLOOM_CHECK_GROUPS)
endif()
target_compile_definitions(warploom_flags INTERFACE
  WARPLOOM_VERSION="${PROJECT_VERSION}" WARPLOOM_BUILD_TYPE="${CMAKE_BUILD_TYPE}"
  WARPLOOM_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")

# What most sources of the viewer and of the tests read: precompiled there.
set(WARPLOOM_COMMON_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <mutex> <optional> <set>
  <string> <thread> <vector> <fmt/format.h>)
