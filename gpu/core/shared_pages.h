#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace warploom {

/// While one lives, host memory that its thread allocates (buffer.h) is of shared pages: another process can map it.
/// What was allocated stays so.
class ScopedSharedPages {
 public:
  /// `on` false: as before.
  explicit ScopedSharedPages(bool on = true);
  ~ScopedSharedPages();
  ScopedSharedPages& operator=(ScopedSharedPages&&) = delete;  // neither copied nor moved
  static bool wanted();

 private:
  bool before_;
};

/// Pages that another process can map.
struct SharedPages {
  int file = -1;             ///< of this process; closed when the memory is released
  std::uint64_t number = 0;  ///< no other pages of this process ever have it
  std::byte* begin = nullptr;
  std::uint64_t bytes = 0;
};

/// Null where there is no memory.
void* allocate_shared_pages(std::uint64_t bytes);
/// False: these are none.
bool release_shared_pages(void* memory) noexcept;
/// The pages that an address is of; nullopt: it is of none.
std::optional<SharedPages> shared_pages_at(const void* memory);

}  // namespace warploom
