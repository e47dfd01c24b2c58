#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "gpu/core/checked_block.h"
#include "gpu/core/macros.h"

// Shared memory that knows who reads and who writes it. Host code; host-device only because nvcc checks the templates
// that call it for both sides, and it is told here to say nothing of calls from both sides to the host's.

#ifdef __CUDACC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20013, 20014, 20015
#endif
namespace warploom {

/// A value of shared memory, as `tile[i]` names it: to be read or written whole (group.h), not to be kept. Its records,
/// one or (of dynamic memory) one for each byte, are the `records` from place `first` of `all` on.
template <class Value>
class CheckedReference {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  WARPLOOM_HD CheckedReference(void* at, AccessRecord* records, unsigned record_count, const char* what,
                               std::uint64_t first, std::uint64_t all)
      : at_(at), records_(records), record_count_(record_count), what_(what), first_(first), all_(all) {}

  WARPLOOM_HD operator Value() && { return load(); }
  WARPLOOM_HD Value operator=(const Value& value) && { return store(value); }
  WARPLOOM_HD Value operator=(const CheckedReference& from) && { return this == &from ? load() : store(from.load()); }
  template <class Other>
  WARPLOOM_HD Value operator=(CheckedReference<Other>&& from) && {
    return store(static_cast<Value>(from.load()));
  }
  template <class Other>
  WARPLOOM_HD Value operator+=(Other&& other) && {
    return store(static_cast<Value>(load() + static_cast<Other&&>(other)));
  }
  /// The largest of what is there and what threads raise it to (tile_maximum).
  WARPLOOM_HD void raise(const Value& value) && {
    for (unsigned i = 0; i < record_count_; ++i) CheckedBlock::current().raise(records_[i], what_, first_ + i, all_);
    Value before;
    memcpy(&before, at_, sizeof before);
    if (before < value) memcpy(at_, &value, sizeof value);
  }
  /// A copy that is under way, and not there before its batch is waited for.
  WARPLOOM_HD void copy(const Value& value) && {
    (void)store(value);
    for (unsigned i = 0; i < record_count_; ++i) CheckedBlock::current().copy(records_[i]);
  }

 private:
  template <class>
  friend class CheckedReference;

  WARPLOOM_HD Value load() const {
    for (unsigned i = 0; i < record_count_; ++i) CheckedBlock::current().read(records_[i], what_, first_ + i, all_);
    Value value;
    memcpy(&value, at_, sizeof value);
    return value;
  }
  WARPLOOM_HD Value store(Value value) const {
    for (unsigned i = 0; i < record_count_; ++i) CheckedBlock::current().write(records_[i], what_, first_ + i, all_);
    memcpy(at_, &value, sizeof value);
    return value;
  }

  void* at_;
  AccessRecord* records_;
  unsigned record_count_;
  const char* what_;
  std::uint64_t first_, all_;
};

template <class Value, unsigned count>
class CheckedTile {
 public:
  WARPLOOM_HD CheckedReference<Value> operator[](std::uint64_t i) {
    CheckedBlock::current().check_index("tile element", i, count);
    return {bytes_ + i * sizeof(Value), records_ + i, 1, "tile element", i, count};
  }

 private:
  alignas(Value) std::byte bytes_[count * sizeof(Value)];
  AccessRecord records_[count];
};

/// The dynamic shared memory of a block, lent to one block after another: a record for each byte, so that tiles which
/// overlap are known to.
class CheckedDynamic {
 public:
  explicit CheckedDynamic(std::uint64_t bytes) : bytes_(bytes), records_(bytes) {}
  std::uint64_t size() const { return bytes_.size(); }
  std::byte* bytes() { return bytes_.data(); }
  AccessRecord* records() { return records_.data(); }

 private:
  std::vector<std::byte> bytes_;
  std::vector<AccessRecord> records_;
};

template <class Value>
class CheckedDynamicTile {
 public:
  WARPLOOM_HD CheckedDynamicTile(CheckedDynamic* memory, std::uint64_t count, std::uint64_t first_byte)
      : memory_(memory), count_(count), first_byte_(first_byte) {}
  WARPLOOM_HD CheckedReference<Value> operator[](std::uint64_t i) const {
    CheckedBlock::current().check_index("dynamic tile element", i, count_);
    const std::uint64_t byte = first_byte_ + i * sizeof(Value);
    return {memory_->bytes() + byte, memory_->records() + byte, sizeof(Value), "byte of dynamic shared memory", byte,
            memory_->size()};
  }

 private:
  CheckedDynamic* memory_;
  std::uint64_t count_, first_byte_;
};

}  // namespace warploom
#ifdef __CUDACC__
#pragma nv_diagnostic pop
#endif
