#include "gpu/files/states.h"

#include <fstream>
#include <iterator>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

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
    if (file.extension() == reader.extension) return &reader;
  return nullptr;
}

StateFile read_state(const std::filesystem::path& file, const Index3& extent) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) throw FileError(file.string() + ": no such file");
  std::ifstream in(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (!in) throw FileError(file.string() + ": cannot be read");
  if (const auto* reader = find_state_reader(file)) return reader->read(file, bytes, extent);
  const auto kinds = texts_of(state_readers(), [](const auto& one) { return one.extension + " (" + one.title + ")"; });
  throw FileError(file.string() + ": a state is a " + either(kinds) + " file");
}

}  // namespace warploom
