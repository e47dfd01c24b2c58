#pragma once
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/own/text.h"

namespace warploom {

/// A C++ compiler of this machine.
struct CppCompiler {
  std::string path;
  std::string name;  ///< "g++ 12.2.0"
  bool clang = false;
};

/// WARPLOOM_CXX, which must be there if it is set; else the first that is there of the one this program was built with,
/// c++, g++ and clang++. Throws Error that says what to install.
CppCompiler find_cpp_compiler();

/// What an own map becomes a program with: the scene's headers, and what is said of them once its text is read.
struct OwnScene {
  std::vector<std::string_view> headers;  ///< of the kit, in order
  std::string state;                      ///< "FractalState<Embedded>"
  std::string uses;                       ///< "using Scene = FractalScene<Embedded, SubBoxes, Life>;"
  std::shared_ptr<const OwnSource> rule;  ///< that runs under the map; null: none
  bool products = false;                  ///< of matrices, by tensor cores: a device's compiler needs CUDA's headers
  bool notes_values = false;              ///< its text is marked (see.h): checked code alone is made
  /// Statements that give `run` what its arguments else say at run time, for the compiler to know; empty: none.
  std::string constants = {};
};

/// An own map as two shared libraries, or as code of a device.
struct CompiledOwn {
  std::filesystem::path checked;  ///< judges and steps; every statement without a meaning is caught
  std::filesystem::path trusted;  ///< steps as fast as built-in maps do
  std::string compiler;
  double milliseconds = 0;
  bool cached = false;  ///< both were kept from before
};

/// Compiles both at once, or finds what was kept. Throws FileError with up to five lines "FILE:LINE:COLUMN: what", of
/// the user's text alone; Error where there is no compiler; Cancelled. A compiler has 10 seconds and 4 GiB. For the
/// CPU by a C++ compiler, for CUDA by NVRTC.
CompiledOwn compile_own(const OwnSource& text, const OwnScene& scene, Backend backend, const std::atomic<bool>* cancel);

/// For each address of a compiled map, the line of the user's text that the innermost function there is at; 0: none.
std::vector<int> own_lines(const std::filesystem::path& compiled, const std::string& file,
                           const std::vector<std::string>& addresses);

/// What compilers said, as lines "FILE:LINE:COLUMN: what" of the user's text. `own` is how they name it.
std::vector<std::string> own_messages(const OwnSource& text, const std::string& output);

}  // namespace warploom
