#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/types.h"

namespace warploom {

/// A group program broke the group contract: the kernel, the block, the thread, the place and what is wrong with it.
struct GroupError : Error {
  explicit GroupError(const std::string& message) : Error(message) {}
};

/// Who touched one value of shared memory last, and in which phase. A phase lasts from a barrier to the next, of the
/// block or of its warps; no two phases of a physical thread have the same number, and none is 0.
struct AccessRecord {
  std::uint64_t written = 0, read = 0;
  std::uint64_t copy = 0;  ///< the batch of the block's copies that it comes with; 0: it was written
  unsigned writer = 0, reader = 0;
};

/// What a CheckedGroup knows of its block: which of its threads runs, inside which call, and in which phase. Everything
/// throws GroupError for what the contract forbids. Used by one physical thread; blocks may nest.
class CheckedBlock {
 public:
  /// In place of a thread: all of them, in uniform code; more than one reader; or whoever calls tile_maximum.
  static constexpr unsigned everyone = ~0u, several = ~0u - 1, maximum = ~0u - 2;
  /// ... or several of warp w: several_of + w.
  static constexpr unsigned several_of = 1u << 16;

  CheckedBlock(const char* kernel, Index3 block, std::uint64_t number, Index3 threads);
  ~CheckedBlock();
  CheckedBlock& operator=(CheckedBlock&&) = delete;  // neither copied nor moved

  /// The block whose program this physical thread runs.
  static CheckedBlock& current();

  /// All threads of the block are about to make this call: refused inside the body of another.
  void call(const char* name);
  /// The body of that call begins to run as a thread of the block, or as everyone.
  void run_as(const char* name, unsigned thread) {
    inside_ = name;
    thread_ = thread;
  }
  /// All threads have left it.
  void leave() { run_as(nullptr, everyone); }
  /// A barrier of the block: the next phase begins.
  void next_phase();
  /// ... of each warp: of what its own threads did alone.
  void next_phase_of_warps();
  /// `site` (one place of the program) keeps a value in shared memory, and was told that no earlier one is still read.
  void use_site(const void* site, const char* name, bool again);

  void read(AccessRecord& record, const char* what, std::uint64_t index, std::uint64_t count) const;
  void write(AccessRecord& record, const char* what, std::uint64_t index, std::uint64_t count) const {
    write(record, thread_, what, index, count);
  }
  /// A tile_maximum, which may meet others, but no other access.
  void raise(AccessRecord& record, const char* what, std::uint64_t index, std::uint64_t count) const;
  /// What was just written is a copy, and comes with the batch that is open.
  void copy(AccessRecord& record) const { record.copy = open_batch_; }
  void end_batch() { ++open_batch_; }
  /// All batches but the `newest` that ended are there; with 0 the open one, too.
  void batches_are_there(unsigned newest);

  void check_index(const char* what, std::uint64_t index, std::uint64_t count) const;

  /// The number of the thread that runs, whose PerThread is asked for by `index`.
  unsigned own(unsigned index) const;
  /// ... by its place in the warp.
  unsigned own_in_warp(unsigned lane) const;
  void check_set(const char* call, bool set, unsigned thread) const;

  /// The number of the i-th thread to run: another order in each block.
  unsigned in_order(unsigned i) const { return (start_ + i * step_) % size_; }
  Index3 place(unsigned index) const {
    return {index % threads_.x, index / threads_.x % threads_.y, index / (threads_.x * threads_.y)};
  }
  unsigned live_in(unsigned warp) const { return size_ - warp * warp_size < warp_size ? size_ % warp_size : warp_size; }
  unsigned warps() const { return (size_ + warp_size - 1) / warp_size; }

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const char* what) const { fail(std::string(what)); }  // nvcc sees no string where it is called

 private:
  /// By the thread that runs, as `writer`.
  void write(AccessRecord& record, unsigned writer, const char* what, std::uint64_t index, std::uint64_t count) const;
  /// Whether no barrier that both wait at lies between what `one` did in a phase and what `other` does now.
  bool races(unsigned one, std::uint64_t phase, unsigned other) const;
  /// The warp that a thread, several, or all are of; none: they are of no single one, or of no warp.
  static constexpr unsigned no_warp = ~0u;
  unsigned warp_of(unsigned thread) const;
  std::string since_barrier(unsigned one, unsigned other) const;
  std::string name_of(unsigned thread) const;

  const char* kernel_;
  Index3 block_;
  std::uint64_t number_;
  Index3 threads_;
  unsigned size_, start_ = 0, step_ = 1;
  const char* inside_ = nullptr;  ///< the call whose body runs; null: uniform code
  unsigned thread_ = everyone;
  std::uint64_t first_phase_, block_phase_, phase_;  ///< of the block; since its last barrier; since any
  std::uint64_t open_batch_ = 1, last_there_ = 0;
  std::vector<std::pair<const void*, std::uint64_t>> sites_;  ///< and the phase of their last use
  CheckedBlock* outer_;
};

}  // namespace warploom
