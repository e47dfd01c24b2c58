#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace warploom {

// Behind its name a track may say on how many devices it runs: wang_mou@2.

/// What stands behind the @; nullopt: nothing does. Throws UsageError where that is no number, or not at the end.
std::optional<std::int64_t> devices_named(const std::string& track);
/// The name alone.
std::string without_devices(const std::string& track);
/// `name`, and behind it the devices that `asked` has; checked. Throws UsageError.
std::string with_devices_of(const std::string& asked, const std::string& name);
/// On how many a track runs: what stands behind its name, else `usual`. Throws UsageError.
int devices_of_track(const std::string& track, int usual);

/// Throws UsageError where it is not 1, 2, 4, 8 or 16.
void check_device_count(const std::string& what, std::int64_t count);

}  // namespace warploom
