#include "gpu/tracks/named_devices.h"

#include <fmt/format.h>

#include <charconv>

#include "gpu/core/device.h"
#include "gpu/core/error.h"

namespace warploom {

namespace {

constexpr char mark = '@';

}  // namespace

std::optional<std::int64_t> devices_named(const std::string& track) {
  const auto at = track.find(mark);
  if (at == std::string::npos) return std::nullopt;
  const char *begin = track.data() + at + 1, *end = track.data() + track.size();
  std::int64_t count = 0;
  const auto read = std::from_chars(begin, end, count);
  if (const auto rest = track.find('/', at); rest != std::string::npos)
    throw UsageError(fmt::format("track '{}': the devices stand at the end: {}{}{}", track, track.substr(0, at),
                                 track.substr(rest), track.substr(at, rest - at)));
  if (read.ec != std::errc() || read.ptr != end)
    throw UsageError(
        fmt::format("track '{}': behind @ stands how many devices it runs on: {}@2", track, track.substr(0, at)));
  return count;
}

std::string without_devices(const std::string& track) { return track.substr(0, track.find(mark)); }

std::string with_devices_of(const std::string& asked, const std::string& name) {
  if (!devices_named(asked)) return name;
  return fmt::format("{}{}{}", name, mark, devices_of_track(asked, 1));
}

int devices_of_track(const std::string& track, int usual) {
  const auto named = devices_named(track);
  if (!named) return usual;
  check_device_count(fmt::format("devices of track '{}'", track), *named);
  return static_cast<int>(*named);
}

void check_device_count(const std::string& what, std::int64_t count) {
  std::int64_t below = 1;
  while (below < most_devices && 2 * below <= count) below *= 2;
  if (count == below) return;
  const bool inside = count > 1 && below < most_devices;
  throw UsageError(fmt::format("{} is {}; expected 1, 2, 4, 8 or 16: the nearest {}", what, count,
                               inside ? fmt::format("are {} and {}", below, 2 * below) : fmt::format("is {}", below)));
}

}  // namespace warploom
