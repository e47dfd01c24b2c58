// Which tracks run on several devices, and on how many.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "gpu/core/backend.h"
#include "gpu/core/device.h"
#include "gpu/core/devices.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/devices/long_parts.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/tracks/named_devices.h"

namespace warploom {

namespace {

/// The reason, of transforms in which every part goes to all devices.
std::string blocks_refusal(const ButterflySettings& settings, int devices) {
  const int d = std::countr_zero(static_cast<unsigned>(devices));
  if (settings.n >= 2 * d) return {};
  const int most = 1 << (settings.n / 2);
  return fmt::format("each part goes in {} parts of at least one value, and a row has {}; choose {}n={}", devices,
                     std::uint64_t{1} << settings.n, most > 1 ? fmt::format("devices={}, or ", most) : "", 2 * d);
}

/// The reason, of rows whose parts are rows of their own to one device: longer than a block.
std::string parts_refusal(const ButterflySettings& settings, const TrackInfo& info, int devices) {
  const std::string& what = settings.algorithm;
  const int d = std::countr_zero(static_cast<unsigned>(devices));
  if (what == "sort" && info.map != Bitonic::info.key)
    return fmt::format("comparators of {} cross long rows at all distances; choose {}, or split=rows", info.map,
                       Bitonic::info.key);
  if (what == "tridiagonal" && (info.map != WangMou::info.key || info.intra == "global" || info.intra == "tuned"))
    return fmt::format(
        "of long systems only {} leaves each device equations on what lies outside its part; choose {}, or split=rows",
        WangMou::info.key, WangMou::info.key);
  if (what == "scan" && info.intra == "tuned")
    return fmt::format("tuned programs begin a row with nothing before it; choose {}/look_back, or split=rows",
                       info.map);
  if (what == "fft")
    if (std::string why = blocks_refusal(settings, devices); !why.empty()) return why;
  if (std::string why = butterfly_track_refusal(what, settings.n - d, info.name); !why.empty())
    return fmt::format("a device's part has n = {}, and {} has no plan for it; choose {}, or split=rows",
                       settings.n - d, info.name, info.map);
  return {};
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
  if (settings.n > mapping.s) return parts_refusal(settings, info, devices);
  if (variant.exchange == Exchange::tuned)
    return fmt::format("tuned programs have the digits of one device; choose {}, or split=rows", info.map);
  if (what == "fft" && settings.order != "left") return blocks_refusal(settings, devices);
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

/// What a track of one device takes beside its rows.
double work_bytes(const ButterflySettings& settings, const std::string& track) {
  ButterflySettings one = settings;
  one.devices = 1;
  return butterfly_bytes(one, track) - rows_bytes(one);
}

}  // namespace

std::vector<double> butterfly_bytes_by_device(const ButterflySettings& settings, const std::string& track,
                                              Backend backend) {
  const auto devices = static_cast<std::size_t>(butterfly_devices(settings, track));
  const TrackInfo& info = find_butterfly_track(settings.algorithm, track);
  if (devices == 1) return {rows_bytes(settings) + work_bytes(settings, info.name)};
  const double rows = rows_bytes(settings), once = rows / (is_signal_file(settings) ? 1.5 : 2),
               count = static_cast<double>(devices);
  const ButterflyVariant variant = butterfly_variant(settings, info);
  // What a device has of the rows: pools their share of them where they lie, other devices a copy.
  double work = 0, copy = 0;
  bool copies_whole = false;  // of short rows other devices have all
  const bool staged = is_long(settings, variant) && settings.algorithm == "fft" && settings.order == "left";
  if (settings.split == "rows") {
    ButterflySettings part = settings;
    part.batch = (settings.batch + devices - 1) / devices;
    work = work_bytes(part, info.name);
    copy = variant.interleaved ? once / count : 0;
  } else if (is_long(settings, variant)) {
    const ButterflySettings part = part_of(settings, std::countr_zero(devices));
    const auto batch = static_cast<double>(settings.batch);
    work = work_bytes(part, info.name);
    if (settings.algorithm == "sort") work += once / 2 / count;
    // The equations of a part, which a part of one block has in registers; the ends of all parts, and their unknowns.
    if (settings.algorithm == "tridiagonal")
      work += batch * (part.n > variant.mapping.s ? 0 : 16 * std::ldexp(1., part.n)) + batch * (72 * count + 16);
    if (settings.algorithm == "scan") work += batch * (count + 3) * input_shape(settings).bytes;
    if (settings.algorithm == "fft") work += once / count;
    copy = settings.batch > 1 || (settings.algorithm == "fft" && settings.order == "left") ? once / count : 0;
  } else {
    // A part's values on either side of an exchange, and a table of operands or twiddles.
    work = 2 * once / count;
    copies_whole = true;
  }
  std::vector<double> all(devices, work + (backend == Backend::cpu ? rows / count + copy
                                           : copies_whole          ? once
                                                                   : once / count));
  if (backend != Backend::cpu) all.front() = rows + work + copy + (staged ? once / 2 / count : 0);
  return all;
}

namespace {

/// Of all tracks, by device.
std::vector<double> needed_by_device(const ButterflySettings& settings, const std::vector<std::string>& tracks,
                                     Backend backend) {
  std::vector<double> all;
  for (const auto& track : tracks) {
    const auto own = butterfly_bytes_by_device(settings, track, backend);
    all.resize(std::max(all.size(), own.size()));
    for (std::size_t k = 0; k < own.size(); ++k) all[k] += own[k];
  }
  return all;
}

/// With how many devices each of them needs no more than `limit`: ", with devices=4: 1.6 GiB each"; else what helps.
std::string devices_that_do(ButterflySettings settings, const std::vector<std::string>& tracks, Backend backend,
                            double limit) {
  for (settings.devices = 2; settings.devices <= most_devices_there(backend); settings.devices *= 2) {
    const auto fits = [&] {
      for (const auto& track : tracks)
        if (!butterfly_devices_refusal(settings, track).empty()) return false;
      return true;
    };
    if (!fits()) continue;
    const auto needed = needed_by_device(settings, tracks, backend);
    if (const double most = *std::ranges::max_element(needed); most <= limit)
      return fmt::format("; with devices={}: {} each", settings.devices, bytes_text(most));
  }
  return "; choose a smaller n or batch";
}

}  // namespace

void check_device_memory(const ButterflySettings& settings, const std::vector<std::string>& tracks, Backend backend,
                         bool released) {
  const auto needed = needed_by_device(settings, tracks, backend);
  const auto limit = static_cast<double>(settings.device_memory);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (limit > 0 && needed[k] > limit)
      throw UsageError(fmt::format("device {} needs {}, {} allowed (device_memory){}", k, bytes_text(needed[k]),
                                   bytes_text(limit), devices_that_do(settings, tracks, backend, limit)));
    // How much of what is released lies on which of the others is not known.
    if (backend == Backend::cpu || k == 0 || released) continue;
    const OnDevice there({backend, static_cast<int>(k)});
    if (const auto free = static_cast<double>(free_bytes(backend)); needed[k] > free)
      throw UsageError(fmt::format("device {} needs {}, {} free{}", k, bytes_text(needed[k]), bytes_text(free),
                                   devices_that_do(settings, tracks, backend, free)));
  }
}

int butterfly_devices(const ButterflySettings& settings, const std::string& name) {
  return devices_of_track(name, settings.devices);
}

std::string butterfly_track_name(const std::string& algorithm, const std::string& name) {
  return with_devices_of(name, find_butterfly_track(algorithm, name).name);
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
