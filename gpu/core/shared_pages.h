#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace warploom {

/// While one lives, memory that its thread allocates (buffer.h) is of shared pages: another process can map it. What
/// was allocated stays so.
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

/// Pages that another process can map: of the host, or, without a file, of the device.
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
/// Memory of the device that the caller allocated, and releases after forget_device_pages, counts as shared pages.
void know_device_pages(void* memory, std::uint64_t bytes);
void forget_device_pages(void* memory) noexcept;
/// By which another process maps them: the whole piece that they lie in, and how far in. Throws Error.
struct ExportedPages {
  unsigned char handle[64];
  std::uint64_t offset;
};
ExportedPages exported_device_pages(const void* memory);
/// A device maps memory for another process by whole pieces, in which nothing else lies if they are at least so long.
inline constexpr std::uint64_t least_device_pages = std::uint64_t{2} << 20;
/// The pages that an address is of; nullopt: it is of none.
std::optional<SharedPages> shared_pages_at(const void* memory);

}  // namespace warploom
