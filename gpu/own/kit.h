#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

namespace detail {
struct KitFile {
  const char *path, *text;
};
/// Made by cmake/Kit.cmake.
extern const KitFile kit_files[];
extern const std::size_t kit_count;
}  // namespace detail

/// The kit: the headers that kernels are made of, as they were when the program was built. The text of one of them, by
/// its path in the repository ("gpu/core/types.h"). Throws Error where there is none.
std::string_view kit_text(std::string_view path);

/// One source of these files and all that they include of the kit, each once and in order, without what they include of
/// the standard library. Lines keep their numbers by #line, whose file is `prefix` and the path.
std::string kit_source(std::span<const std::string_view> files, const std::string& prefix = "");

/// Who compiles a listing: a C++ compiler, nvcc, or NVRTC, which has no standard library.
enum class ListedFor { cpp, nvcc, nvrtc };
/// The same to be read: what is included of the compiler's own standard library comes first, if it has one, and what
/// only other kinds of compilation have is left out, and so are long remarks.
std::string kit_listing(std::span<const std::string_view> files, ListedFor compiler);

/// The file of a folder of the kit ("gpu/scenes/fractal/maps/") that defines a structure; empty: none does.
std::string_view kit_file_of(std::string_view folder, std::string_view structure);
/// Those of all structures that a type names, from the outermost on: "LambdaMap<LambdaSerial, SubBoxes>" has three.
std::vector<std::string_view> kit_files_of(std::string_view folder, std::string_view type);
/// Adds them, each once.
void add_kit_files(std::vector<std::string>& files, std::string_view folder, std::string_view type);

}  // namespace warploom
