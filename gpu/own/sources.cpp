#include "gpu/own/sources.h"

#include <algorithm>

#include "gpu/own/kit.h"

namespace warploom {

std::vector<SourceFile> kit_sources(std::span<const std::string_view> files) {
  std::vector<SourceFile> all;
  all.reserve(files.size());
  for (const std::string_view file : files)
    all.push_back({std::string(file.substr(file.rfind('/') + 1)), std::string(kit_text(file))});
  return all;
}

std::optional<SourceValues> joined(std::optional<SourceValues> first, const std::optional<SourceValues>& then) {
  if (!first || !then) return first ? first : then;
  first->notes.insert(first->notes.end(), then->notes.begin(), then->notes.end());
  first->cut = first->cut || then->cut;
  return first;
}

SourceValues values_from_outside(const own::SeenNotes& notes, int lines) {
  SourceValues values;
  values.cut = notes.cut != 0;
  // Read once: it may change meanwhile.
  const int count = *const_cast<const volatile std::int32_t*>(&notes.count);
  for (int i = 0; i < std::clamp(count, 0, own::SeenNotes::most); ++i) {
    const own::SeenNote note = notes.notes[i];
    if (note.file == 0 && note.line > 0 && note.line <= lines && note.kind <= own::SeenKind::turn && note.numbers <= 3)
      values.notes.push_back(note);
  }
  return values;
}

SourceValues values_of(const own::SeenNotes& notes, std::span<const std::string> files,
                       std::span<const std::string_view> sources) {
  SourceValues values;
  values.cut = notes.cut != 0;
  for (int i = 0; i < notes.count; ++i) {
    own::SeenNote note = notes.notes[i];
    const auto number = static_cast<std::size_t>(note.file);
    if (number >= files.size()) continue;
    const auto place = std::ranges::find(sources, files[number]);
    if (place == sources.end()) continue;
    note.file = static_cast<std::int32_t>(place - sources.begin());
    values.notes.push_back(note);
  }
  return values;
}

}  // namespace warploom
