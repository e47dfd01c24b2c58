#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "gpu/own/letters.h"

namespace warploom {

/// An own map as its user wrote it, checked as far as that takes no compiler.
struct OwnSource {
  std::string file;    ///< as messages name it: "fold.h"
  std::string stem;    ///< "fold", of the track own:fold
  std::string source;  ///< UTF-8, lines end with '\n'
  std::string form;    ///< "place", "cell", "kernel" or "rule": the function that makes it what it is
  /// Lines from 1 on where functions of the vocabulary are defined, by their names.
  std::map<std::string, int> functions;
  std::uint64_t hash = 0;  ///< of the source

  /// "map", "rule" or "kernel".
  std::string kind() const { return form == "place" || form == "cell" ? "map" : form; }
};

/// Texts are at most so long.
inline constexpr std::size_t most_own_bytes = 64 << 10;

/// Checks a text: UTF-8 with or without a mark, lines with or without CR, brackets that match, no #include but
/// <warploom/own.h>, which means nothing, and exactly one of `place`, `cell`, `kernel` and `rule`. Throws FileError
/// "FILE:LINE: what".
OwnSource read_own_text(const std::string& file, std::string_view bytes);
/// Whether brackets, quotes and comments of a text are closed, as those of a text in the middle of a word are not.
bool brackets_match(std::string_view text);
/// A line of a text, from 1 on; empty: it has no such line.
std::string line_of(std::string_view text, int line);
/// Whether a file's name without its ending can be a track's: letters, digits, '_' and '-'.
bool is_own_stem(std::string_view stem);
/// Of a file. Throws FileError also where it cannot be read, and where its name makes no track's name.
OwnSource read_own_file(const std::filesystem::path& path);

}  // namespace warploom
