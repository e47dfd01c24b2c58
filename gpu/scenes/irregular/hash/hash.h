#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/scenes/irregular/hash/keys.h"
#include "gpu/scenes/irregular/hash/oracle.h"
#include "gpu/scenes/irregular/irregular.h"

namespace warploom {

/// What the tracks of a run of hash tables share.
class HashProblem final : public IrregularProblem {
 public:
  std::uint64_t seed = 7, count = 0;  ///< keys, and as many queries
  KeyRecipe recipe = KeyRecipe::random;
  std::string name;  ///< of the recipe, or the file without its folder
  VoxelSheet sheet;
  double hits = .5;
  std::vector<std::uint32_t> file;  ///< keys of a file

  bool moves() const { return recipe == KeyRecipe::voxels; }
  /// By number, not of voxels. `file_keys`: where those of a file lie.
  KeySource source(const std::uint32_t* file_keys) const;
  /// What a step looks up, made on the host alone.
  std::vector<std::uint32_t> host_keys(Queue& queue, std::uint64_t step) const;
  std::vector<std::uint32_t> host_queries(Queue& queue) const;
  /// The right answers after a step, made once for all tracks. The thread that steps. Throws Cancelled.
  std::shared_ptr<const HashOracle> oracle(Queue& queue, std::uint64_t step) const;

 private:
  mutable std::mutex mutex_;
  mutable std::uint64_t judged_ = 0;  ///< the step of the oracle
  mutable std::shared_ptr<const HashOracle> oracle_;
};

/// A file of keys: a NumPy array of one axis of whole numbers of 8 to 64 bits, little endian, each from 0 to 2^32 - 1.
/// All or none. Throws FileError naming the file and the index.
std::vector<std::uint32_t> read_keys(const std::filesystem::path& file);

/// How many voxels a sheet has: the same number in every step, and in its mirror.
/// Throws Cancelled where the calling thread's work is not wanted any more.
std::uint64_t count_voxels(const VoxelSheet& sheet);

/// What a table is made for.
struct HashShape {
  std::uint64_t keys = 0, seed = 7;
  double load = .7;
  int bucket = 8;
  bool published = false;
  HashFamily family() const { return {seed, published}; }
  std::uint64_t values() const { return key_hash(seed, 5); }
  /// ceil(keys / load): slots, where a strategy adds nothing.
  std::uint64_t wanted_slots() const;
};

/// The smallest prime that is at least n, from 2.
std::uint64_t prime_from(std::uint64_t n);

}  // namespace warploom
