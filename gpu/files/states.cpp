#include "gpu/files/states.h"

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"

namespace warploom {

// A new kind of file is one source and one line here.
// clang-format off
#define WARPLOOM_STATES(one) \
  one(npy)                   \
  one(rle)
// clang-format on

#define WARPLOOM_DECLARED(name) StateReader name##_states();
WARPLOOM_STATES(WARPLOOM_DECLARED)
#undef WARPLOOM_DECLARED

const std::vector<StateReader>& state_readers() {
#define WARPLOOM_LISTED(name) name##_states(),
  static const std::vector<StateReader> all{WARPLOOM_STATES(WARPLOOM_LISTED)};
#undef WARPLOOM_LISTED
  return all;
}

std::string state_file_kinds() {
  return either(texts_of(state_readers(), [](const auto& one) { return one.title + " (" + one.extension + ")"; }));
}

const StateReader* find_state_reader(const std::filesystem::path& file) {
  for (const auto& reader : state_readers())
    if (extension_of(file) == reader.extension) return &reader;
  return nullptr;
}

StateFile read_state(const std::filesystem::path& file, const Index3& extent) {
  const auto kinds =
      either(texts_of(state_readers(), [](const auto& one) { return one.extension + " (" + one.title + ")"; }));
  const auto* reader = find_state_reader(file);
  if (std::error_code none; reader || !std::filesystem::is_regular_file(file, none)) {
    const std::string bytes = read_input(file, kinds);
    if (reader) return reader->read(file, bytes, extent);
  }
  throw FileError(file.string() + ": a state is a " + kinds + " file");
}

}  // namespace warploom
