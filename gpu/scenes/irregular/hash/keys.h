#pragma once
#include <cstdint>

#include "gpu/scenes/irregular/hash/functions.h"
#include "gpu/scenes/irregular/streams.h"

// Recipes of keys and of queries: kernels and the host compute them alike.
namespace warploom {

/// A gyroid in whole numbers in a cube of voxels; a step moves it by a voxel along x.
struct VoxelSheet {
  std::uint32_t side = 64;

  /// Like a sine with a period of 256.
  WARPLOOM_HD static constexpr std::int32_t wave(std::uint32_t t) {
    const auto u = static_cast<std::int32_t>(t & 127);
    return t & 128 ? -u * (128 - u) : u * (128 - u);
  }
  /// `step`: modulo side.
  WARPLOOM_HD constexpr bool has(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t step) const {
    const std::uint32_t a = 512 * (x + step) / side, b = 512 * y / side, c = 512 * z / side;
    const std::int64_t sum = std::int64_t{wave(a)} * wave(b + 64) + std::int64_t{wave(b)} * wave(c + 64) +
                             std::int64_t{wave(c)} * wave(a + 64);
    return (sum < 0 ? -sum : sum) < (1 << 28) / static_cast<std::int64_t>(side);
  }
  /// Whether the resting mirror sheet, that the queries are, has it.
  WARPLOOM_HD constexpr bool mirror_has(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return has(x, z, y, 0);
  }
  WARPLOOM_HD static constexpr std::uint32_t key(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return x | y << 10 | z << 20;
  }
};

enum class KeyRecipe { random, sequential, duplicates, voxels, file };

/// The keys and queries of a problem, by number. Those of voxels: RowsOfVoxels.
struct KeySource {
  KeyRecipe recipe = KeyRecipe::random;
  std::uint64_t count = 0;
  std::uint32_t start = 0;                 ///< low 32 bits of h_0(0)
  std::uint64_t asked = 0, strangers = 0;  ///< streams 3 and 4
  double hits = .5;
  const std::uint32_t* file = nullptr;

  WARPLOOM_HD std::uint32_t key(std::uint64_t i) const {
    const auto low = static_cast<std::uint32_t>(i);
    if (recipe == KeyRecipe::file) return file[i];
    if (recipe == KeyRecipe::sequential) return low;
    return fmix32((recipe == KeyRecipe::duplicates ? low / 16 : low) + start);
  }
  WARPLOOM_HD std::uint32_t query(std::uint64_t i) const {
    const std::uint64_t v = key_hash(asked, i);
    if (chosen(v, hits)) return key(below(v, static_cast<std::uint32_t>(count)));
    const auto stranger = static_cast<std::uint32_t>(count + i);
    if (recipe == KeyRecipe::file) return static_cast<std::uint32_t>(key_hash(strangers, i) >> 32);
    return recipe == KeyRecipe::sequential ? stranger : fmix32(stranger + start);
  }
};

struct MakeHashKeys {
  KeySource source;
  std::uint32_t* to;
  WARPLOOM_HD void operator()(std::uint64_t i) const { to[i] = source.key(i); }
};
struct MakeHashQueries {
  KeySource source;
  std::uint32_t* to;
  WARPLOOM_HD void operator()(std::uint64_t i) const { to[i] = source.query(i); }
};

/// Counts the voxels of a row along x, or writes their keys; row i is (y, z), y fastest.
struct RowsOfVoxels {
  static constexpr std::uint64_t threads_per_chunk = 256;
  VoxelSheet sheet;
  std::uint32_t shift;
  bool mirror;
  std::uint32_t* counts;         ///< (side^2), counted where there are no offsets
  const std::uint32_t* offsets;  ///< where each row begins
  std::uint32_t* keys;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const auto row = static_cast<std::uint32_t>(i);
    const std::uint32_t y = row % sheet.side, z = row / sheet.side;
    std::uint32_t found = 0;
    for (std::uint32_t x = 0; x < sheet.side; ++x) {
      if (!(mirror ? sheet.mirror_has(x, y, z) : sheet.has(x, y, z, shift))) continue;
      if (offsets) keys[offsets[row] + found] = VoxelSheet::key(x, y, z);
      ++found;
    }
    if (!offsets) counts[row] = found;
  }
};

}  // namespace warploom
