#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/own/seen.h"

namespace warploom {

/// A source as its readers see it: "lambda_serial.h", and its text.
struct SourceFile {
  std::string name, text;
};
/// What one thread computes, in the order in which it does; notes name a file by its place among the sources.
struct SourceValues {
  std::vector<own::SeenNote> notes;
  bool cut = false;  ///< it would have been more
};

/// The finished state of a track: so many bytes, and what copies them into memory of the host.
struct StateCopy {
  std::uint64_t bytes = 0;
  std::function<void(void* to)> copy;
};

/// Files of the kit as sources.
std::vector<SourceFile> kit_sources(std::span<const std::string_view> files);
/// Both, one after the other.
std::optional<SourceValues> joined(std::optional<SourceValues> first, const std::optional<SourceValues>& then);
/// What a process wrote of a text of so many lines, which may be any bytes: what no marked code notes is left out.
SourceValues values_from_outside(const own::SeenNotes& notes, int lines);
/// Notes whose files have these numbers, as notes of the kit's files in `sources`. Others are left out.
SourceValues values_of(const own::SeenNotes& notes, std::span<const std::string> files,
                       std::span<const std::string_view> sources);

}  // namespace warploom
