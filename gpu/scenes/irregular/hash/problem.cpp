#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/watched_work.h"
#include "gpu/files/input.h"
#include "gpu/files/npy.h"
#include "gpu/scenes/irregular/hash/hash.h"

namespace warploom {

KeySource HashProblem::source(const std::uint32_t* file_keys) const {
  return {recipe,
          count,
          static_cast<std::uint32_t>(key_hash(key_hash(seed, 0), 0)),
          key_hash(seed, 3),
          key_hash(seed, 4),
          hits,
          file_keys};
}

std::uint64_t HashShape::wanted_slots() const {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(keys) / load));
}

std::uint64_t prime_from(std::uint64_t n) {
  const auto is_prime = [](std::uint64_t p) {
    if (p % 2 == 0) return p == 2;
    for (std::uint64_t d = 3; d * d <= p; d += 2)
      if (p % d == 0) return false;
    return true;
  };
  n = std::max<std::uint64_t>(n, 2);
  while (!is_prime(n)) ++n;
  return n;
}

namespace {

/// The voxels of a cube that `has` chooses, x fastest. Throws Cancelled where the queue was.
template <class Has>
std::vector<std::uint32_t> voxels_of(Queue& queue, std::uint32_t side, const Has& has) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t z = 0; z < side; ++z) {
    if (queue.cancel && queue.cancel->load()) throw Cancelled();
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t x = 0; x < side; ++x)
        if (has(x, y, z)) keys.push_back(VoxelSheet::key(x, y, z));
  }
  return keys;
}

}  // namespace

std::uint64_t count_voxels(const VoxelSheet& sheet) {
  std::uint64_t count = 0;
  for (std::uint32_t z = 0; z < sheet.side; ++z) {
    WatchedWork::reached(static_cast<double>(z) / sheet.side);
    WatchedWork::go_on();
    for (std::uint32_t y = 0; y < sheet.side; ++y)
      for (std::uint32_t x = 0; x < sheet.side; ++x) count += sheet.has(x, y, z, 0);
  }
  return count;
}

std::vector<std::uint32_t> HashProblem::host_keys(Queue& queue, std::uint64_t step) const {
  if (recipe == KeyRecipe::file) return file;
  if (moves()) {
    const auto shift = static_cast<std::uint32_t>(step % sheet.side);
    return voxels_of(queue, sheet.side, [&](auto x, auto y, auto z) { return sheet.has(x, y, z, shift); });
  }
  std::vector<std::uint32_t> keys(count);
  const KeySource from = source(nullptr);
  each_on_host(queue, count, [&](std::uint64_t i) { keys[i] = from.key(i); });
  return keys;
}

std::vector<std::uint32_t> HashProblem::host_queries(Queue& queue) const {
  if (moves()) return voxels_of(queue, sheet.side, [&](auto x, auto y, auto z) { return sheet.mirror_has(x, y, z); });
  std::vector<std::uint32_t> queries(count);
  const KeySource from = source(file.data());
  each_on_host(queue, count, [&](std::uint64_t i) { queries[i] = from.query(i); });
  return queries;
}

std::shared_ptr<const HashOracle> HashProblem::oracle(Queue& queue, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t judged = moves() ? step : 0;  // of others all steps are alike
  if (!oracle_ || judged_ != judged)
    oracle_ = std::make_shared<const HashOracle>(
        hash_oracle(queue, host_keys(queue, judged), host_queries(queue), key_hash(seed, 5), judged));
  judged_ = judged;
  return oracle_;
}

namespace {

/// Whole numbers of a file as they stand, each from 0 to 2^32 - 1.
template <class Stored>
std::vector<std::uint32_t> whole_keys(std::istream& in, std::uint64_t count, const std::filesystem::path& file) {
  std::vector<std::uint32_t> keys;
  keys.reserve(count);
  std::vector<Stored> chunk;
  while (keys.size() < count) {
    WatchedWork::reached(static_cast<double>(keys.size()) / static_cast<double>(count));
    WatchedWork::go_on();
    chunk.resize(std::min<std::uint64_t>(count - keys.size(), 1u << 20));
    if (!in.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size() * sizeof(Stored))))
      throw FileError(fmt::format("{}: it cannot be read to its end", file.string()));
    for (const Stored value : chunk) {
      if (std::is_signed_v<Stored> && value < Stored{0})
        throw FileError(fmt::format("{}: key {} is {}, below 0; keys are whole numbers from 0 to 4294967295",
                                    file.string(), keys.size(), value));
      if (static_cast<std::uint64_t>(value) > 0xffffffff)
        throw FileError(fmt::format("{}: key {} is {}, beyond 2^32 - 1; keys are whole numbers from 0 to 4294967295",
                                    file.string(), keys.size(), value));
      keys.push_back(static_cast<std::uint32_t>(value));
    }
  }
  return keys;
}

}  // namespace

std::vector<std::uint32_t> read_keys(const std::filesystem::path& file) {
  InputFile in = open_input(file, ".npy (NumPy)");
  const NpyHeader header = read_npy_header(in.stream, in.size, file);
  struct Kind {
    const char* dtype;
    unsigned bytes;
    std::vector<std::uint32_t> (*read)(std::istream&, std::uint64_t, const std::filesystem::path&);
  };
  static const Kind kinds[] = {{"|u1", 1, whole_keys<std::uint8_t>},  {"|i1", 1, whole_keys<std::int8_t>},
                               {"<u2", 2, whole_keys<std::uint16_t>}, {"<i2", 2, whole_keys<std::int16_t>},
                               {"<u4", 4, whole_keys<std::uint32_t>}, {"<i4", 4, whole_keys<std::int32_t>},
                               {"<u8", 8, whole_keys<std::uint64_t>}, {"<i8", 8, whole_keys<std::int64_t>}};
  const auto* kind = std::ranges::find(kinds, header.dtype, &Kind::dtype);
  if (kind == std::end(kinds))
    throw FileError(
        fmt::format("{}: values of type {} are no keys; expected whole numbers of 8 to 64 bits, little "
                    "endian; save keys.astype('<u4')",
                    file.string(), shown(header.dtype)));
  if (header.shape.size() != 1)
    throw FileError(
        fmt::format("{}: an array of {} axes; keys have one: save keys.ravel()", file.string(), header.shape.size()));
  const std::uint64_t count = header.shape[0], held = in.size - header.data_start;
  constexpr std::uint64_t most_keys = 1u << 27;
  if (count == 0) throw FileError(fmt::format("{}: it holds no keys; at least one is needed", file.string()));
  if (held / kind->bytes != count || held % kind->bytes)
    throw FileError(
        fmt::format("{}: it holds {} bytes of data; its header promises {} keys of {} bytes each; save the "
                    "array again with numpy.save",
                    file.string(), held, count, kind->bytes));
  if (count > most_keys)
    throw FileError(
        fmt::format("{}: {} keys; at most {} are taken", file.string(), grouped(count), grouped(most_keys)));
  return kind->read(in.stream, count, file);
}

}  // namespace warploom
