// Which tracks run on several devices, and on how many.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <optional>
#include <string_view>

#include "gpu/core/device.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

namespace {

constexpr char mark = '@';

/// What stands behind the mark; nullopt: there is none.
std::optional<std::int64_t> devices_named(const std::string& name) {
  const auto at = name.find(mark);
  if (at == std::string::npos) return std::nullopt;
  const char *begin = name.data() + at + 1, *end = name.data() + name.size();
  std::int64_t count = 0;
  const auto read = std::from_chars(begin, end, count);
  if (const auto rest = name.find('/', at); rest != std::string::npos)
    throw UsageError(fmt::format("track '{}': the devices stand at the end: {}{}{}", name, name.substr(0, at),
                                 name.substr(rest), name.substr(at, rest - at)));
  if (read.ec != std::errc() || read.ptr != end)
    throw UsageError(
        fmt::format("track '{}': behind @ stands how many devices it runs on: {}@2", name, name.substr(0, at)));
  return count;
}

/// The reason, of rows whose elements are shared out.
std::string elements_refusal(const ButterflySettings& settings, const std::string& name, int devices) {
  const std::string& what = settings.algorithm;
  const auto& info = find_butterfly_track(what, name);
  const ButterflyVariant variant = butterfly_variant(settings, info);
  const NetworkMapping& mapping = variant.mapping;
  if (info.map == "vendor") return "the library runs whole rows; choose split=rows";
  if (info.map == "serial" || info.map == "thomas") return "a problem is one thread's; choose split=rows";
  if (what == "real_fft" || what == "dct")
    return "the split pairs k with M - k, which lie on two devices; choose split=rows";
  if (variant.exchange == Exchange::tuned)
    return fmt::format("tuned programs have the digits of one device; choose {}, or split=rows", info.map);
  if (settings.n > mapping.s)
    return fmt::format(
        "rows longer than a block (n is {}, s {}) are shared out whole so far; choose n={}, or split=rows", settings.n,
        mapping.s, mapping.s);
  if (what == "fft") {
    const auto goes = [&](int count, int n) {
      ButterflySettings other = settings;
      other.n = n;
      const FftPlan plan = fft_plan(other, butterfly_variant(other, info));
      return n <= plan.variant.mapping.s &&
             plan.network.exchange_window(std::countr_zero(static_cast<unsigned>(count))) >= 0;
    };
    if (goes(devices, settings.n)) return {};
    std::string instead;
    for (int fewer = devices / 2; fewer > 1 && instead.empty(); fewer /= 2)
      if (goes(fewer, settings.n)) instead = fmt::format("devices={}, or ", fewer);
    for (int n = settings.n + 1; n <= 12; ++n)
      if (goes(devices, n)) {
        instead = fmt::format("n={}, {}", n, instead.empty() ? "or " : instead);
        break;
      }
    return fmt::format("{} pairs digits of n = {} in one stage that {} devices part; choose {}split=rows", info.map,
                       settings.n, devices, instead);
  }
  const int threads = 1 << (settings.n - mapping.p);
  if (devices <= threads) return {};
  return fmt::format("a row has {}, and each device needs one; choose devices={}",
                     counted(static_cast<unsigned long long>(threads), "thread"), threads);
}

}  // namespace

void check_device_count(const std::string& what, std::int64_t count) {
  std::int64_t below = 1;
  while (below < most_devices && 2 * below <= count) below *= 2;
  if (count == below) return;
  const bool inside = count > 1 && below < most_devices;
  throw UsageError(fmt::format("{} is {}; expected 1, 2, 4, 8 or 16: the nearest {}", what, count,
                               inside ? fmt::format("are {} and {}", below, 2 * below) : fmt::format("is {}", below)));
}

int butterfly_devices(const ButterflySettings& settings, const std::string& name) {
  const auto named = devices_named(name);
  if (!named) return settings.devices;
  check_device_count(fmt::format("devices of track '{}'", name), *named);
  return static_cast<int>(*named);
}

std::string butterfly_track_name(const std::string& algorithm, const std::string& name) {
  std::string shortest = find_butterfly_track(algorithm, name).name;
  const auto named = devices_named(name);
  if (!named) return shortest;
  check_device_count(fmt::format("devices of track '{}'", name), *named);
  return fmt::format("{}{}{}", shortest, mark, *named);
}

std::string butterfly_devices_refusal(const ButterflySettings& settings, const std::string& name) {
  const int devices = butterfly_devices(settings, name);
  if (devices == 1) return {};
  if (settings.axes == 2) return fmt::format("devices={}: columns cross all rows; choose axes=1", devices);
  if (settings.split != "rows") {
    std::string why = elements_refusal(settings, name, devices);
    if (why.empty()) return why;
    // Too few rows cannot be shared out whole.
    constexpr std::string_view rows = "split=rows";
    if (const auto at = why.rfind(rows); at != why.npos && settings.batch < static_cast<std::uint64_t>(devices))
      why.replace(at, rows.size(), find_butterfly_track(settings.algorithm, name).name + "@1");
    return fmt::format("devices={}: {}", devices, why);
  }
  if (settings.batch >= static_cast<std::uint64_t>(devices)) return {};
  std::uint64_t most = 1;
  while (2 * most <= settings.batch) most *= 2;
  return fmt::format("devices={}: whole rows are shared out, and there are {}; choose devices={}, or batch={}", devices,
                     settings.batch, most, devices);
}

}  // namespace warploom
