#include "gpu/core/checked_block.h"

#include <algorithm>

#include "gpu/core/hash.h"

namespace warploom {

namespace {

thread_local CheckedBlock* current_block = nullptr;
thread_local std::uint64_t last_phase = 0;

std::string place_text(const char* what, std::uint64_t index, std::uint64_t count) {
  return std::string(what) + " " + std::to_string(index) + " of " + std::to_string(count);
}

}  // namespace

CheckedBlock::CheckedBlock(const char* kernel, Index3 block, std::uint64_t number, Index3 threads)
    : kernel_(kernel),
      block_(block),
      number_(number),
      threads_(threads),
      size_(static_cast<unsigned>(volume(threads))),
      first_phase_(++last_phase),
      block_phase_(first_phase_),
      phase_(first_phase_),
      outer_(current_block) {
  // Steps that are prime and no divisor of the size visit every thread once.
  constexpr unsigned steps[] = {1009, 811, 631, 409};
  const std::uint64_t random = cell_hash(0, number, size_);
  const unsigned step = steps[random % 4];
  start_ = static_cast<unsigned>(random / 4 % size_);
  step_ = size_ % step ? step % size_ : 1;
  if (step_ == 0) step_ = 1;
  current_block = this;
}

CheckedBlock::~CheckedBlock() { current_block = outer_; }

CheckedBlock& CheckedBlock::current() {
  if (!current_block) throw GroupError("values of a checked group are touched where no block runs");
  return *current_block;
}

std::string CheckedBlock::name_of(unsigned thread) const {
  if (thread == everyone) return "every thread (uniform code)";
  if (thread == several) return "several threads";
  if (thread == maximum) return "tile_maximum";
  if (thread >= several_of) return "several threads of warp " + std::to_string(thread - several_of);
  return "thread " + std::to_string(thread);
}

void CheckedBlock::fail(const std::string& what) const {
  throw GroupError("kernel " + std::string(kernel_ ? kernel_ : "without a name") + ", block " +
                   std::to_string(number_) + " (" + std::to_string(block_.x) + ", " + std::to_string(block_.y) + ", " +
                   std::to_string(block_.z) + ") of " + std::to_string(size_) + " threads: " + what);
}

// ---- who runs -------------------------------------------------------------------------------------------------------

void CheckedBlock::call(const char* name) {
  if (inside_)
    fail(std::string(name) + " is reached by " + name_of(thread_) + ", inside " + inside_ +
         "; all threads of the block must reach it");
}

void CheckedBlock::next_phase() { block_phase_ = phase_ = ++last_phase; }
void CheckedBlock::next_phase_of_warps() { phase_ = ++last_phase; }

unsigned CheckedBlock::warp_of(unsigned thread) const {
  if (thread == maximum) return no_warp;
  if (thread > maximum) return size_ <= warp_size ? 0 : no_warp;
  return thread >= several_of ? thread - several_of : thread / warp_size;
}

bool CheckedBlock::races(unsigned one, std::uint64_t phase, unsigned other) const {
  if (phase < block_phase_ || (one == other && one < several_of)) return false;
  const unsigned warp = warp_of(one);
  return warp == no_warp || warp != warp_of(other) || phase == phase_;
}

std::string CheckedBlock::since_barrier(unsigned one, unsigned other) const {
  const unsigned warp = warp_of(one);
  return std::string(" since the last barrier") + (warp != no_warp && warp == warp_of(other) ? "" : " of the block");
}

void CheckedBlock::use_site(const void* site, const char* name, bool again) {
  const auto found = std::find_if(sites_.begin(), sites_.end(), [&](const auto& one) { return one.first == site; });
  if (found == sites_.end()) {
    sites_.emplace_back(site, phase_);
    return;
  }
  if (!again && found->second >= block_phase_)
    fail(std::string(name) + " is told that it is not reached again, but it was, with no barrier since");
  found->second = phase_;
}

unsigned CheckedBlock::own(unsigned index) const {
  if (index != thread_ || !inside_)
    fail("a PerThread of thread " + std::to_string(index) + " is touched by " + name_of(thread_));
  return index;
}

unsigned CheckedBlock::own_in_warp(unsigned lane) const {
  if (!inside_ || thread_ == everyone || lane != thread_ % warp_size)
    fail("a PerThread of lane " + std::to_string(lane) + " of a warp is touched by " + name_of(thread_));
  return thread_;
}

void CheckedBlock::check_set(const char* call, bool set, unsigned thread) const {
  if (!set) fail(std::string(call) + " reads a PerThread that thread " + std::to_string(thread) + " never set");
}

// ---- shared memory --------------------------------------------------------------------------------------------------

void CheckedBlock::check_index(const char* what, std::uint64_t index, std::uint64_t count) const {
  if (index >= count) fail(place_text(what, index, count) + " is out of range; " + name_of(thread_) + " asks for it");
}

void CheckedBlock::read(AccessRecord& record, const char* what, std::uint64_t index, std::uint64_t count) const {
  const unsigned reader = size_ == 1 ? 0 : thread_;
  if (record.written < first_phase_)
    fail(place_text(what, index, count) + " is read by " + name_of(thread_) + ", but no thread of the block wrote it");
  if (races(record.writer, record.written, reader) && record.writer != reader)
    fail(place_text(what, index, count) + " is read by " + name_of(thread_) + ", but " + name_of(record.writer) +
         " wrote it" + since_barrier(record.writer, reader));
  if (record.copy > last_there_)
    fail(place_text(what, index, count) + " is read by " + name_of(thread_) +
         " while a copy to it is under way: copied() has not waited for its batch");
  // Of what is read from several warps nothing is settled before a barrier of the block; what threads of one warp read
  // before its last barrier is, for that warp.
  if (record.read >= block_phase_ && record.reader != reader) {
    const unsigned warp = warp_of(reader);
    record.reader = warp == no_warp || warp != warp_of(record.reader) ? several
                    : record.read == phase_                           ? several_of + warp
                                                                      : reader;
  } else {
    record.reader = reader;
  }
  record.read = phase_;
}

void CheckedBlock::write(AccessRecord& record, unsigned writer, const char* what, std::uint64_t index,
                         std::uint64_t count) const {
  const unsigned runs = size_ == 1 ? 0 : thread_;
  if (size_ == 1) writer = 0;
  if (runs == everyone)
    fail(place_text(what, index, count) + " is written by " + name_of(runs) + "; one thread must do it");
  if (races(record.writer, record.written, writer) && record.writer != writer)
    fail(place_text(what, index, count) + " is written by " + name_of(writer) + ", but " + name_of(record.writer) +
         " wrote it" + since_barrier(record.writer, writer));
  if (record.read >= block_phase_ && (writer == maximum || races(record.reader, record.read, runs)))
    fail(place_text(what, index, count) + " is written by " + name_of(writer) + ", but " + name_of(record.reader) +
         " read it" + since_barrier(record.reader, runs));
  if (record.written >= first_phase_ && record.copy > last_there_)
    fail(place_text(what, index, count) + " is written by " + name_of(writer) + " while a copy to it is under way");
  record.written = phase_;
  record.writer = writer;
  record.copy = 0;
}

void CheckedBlock::raise(AccessRecord& record, const char* what, std::uint64_t index, std::uint64_t count) const {
  if (record.written < first_phase_)
    fail(place_text(what, index, count) + " is raised by " + name_of(thread_) +
         ", but no thread of the block wrote it: a maximum is one with what is there");
  write(record, maximum, what, index, count);
}

void CheckedBlock::batches_are_there(unsigned newest) {
  if (newest == 0) end_batch();
  if (open_batch_ > newest) last_there_ = std::max(last_there_, open_batch_ - 1 - newest);
}

}  // namespace warploom
