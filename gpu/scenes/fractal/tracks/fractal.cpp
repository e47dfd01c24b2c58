#include "gpu/scenes/fractal/fractal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>

#include "gpu/core/devices.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/own/registry.h"
#include "gpu/scenes/fractal/own/own_map.h"
#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/works/border.h"
#include "gpu/scenes/fractal/works/list.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/tracks/named_devices.h"

namespace warploom {

const std::vector<TrackInfo>& fractal_tracks() {
  static const std::vector<TrackInfo> all = [] {
    std::vector<TrackInfo> infos;
    for (const auto& entry : detail::fractal_entries()) infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

const std::vector<NamedInfo>& fractal_works() {
  static const std::vector<NamedInfo> all = [] {
    std::vector<NamedInfo> works;
    for_each_type(FractalWorks{}, [&]<class Work>() {
      works.push_back({Work::info.key, Work::info.title, Work::info.description, "navarro2020fractals"});
    });
    return works;
  }();
  return all;
}

WorkInfo fractal_work(const std::string& key) {
  if (!names_own(key)) return fractal_work_info(key);
  return {"own", "Own rule", "a cell's next state by your rule", true, 2};
}

const detail::FractalEntry& detail::fractal_entry(const std::string& track) {
  if (names_own(track)) return own_fractal_entry(track);
  const TrackInfo& wanted = find_fractal_track(track);
  for (const auto& entry : fractal_entries())
    if (entry.info.name == wanted.name) return entry;
  throw Error("track '" + track + "' is listed but cannot be made");
}

double fractal_launched(const Mask& mask, int level, int block_digits, const std::string& track) {
  if (names_own(track)) return NAN;  // it alone knows
  return static_cast<double>(detail::fractal_entry(track).launched(FractalDomain(mask, level), block_digits));
}

double fractal_memory_gain(const Mask& mask, int level, int block_digits, const std::string& track) {
  const FractalDomain domain(mask, level);
  return static_cast<double>(volume(domain.extent)) / detail::fractal_entry(track).state_bytes(domain, block_digits);
}

std::string fractal_refusal(const Mask& mask, int level, int block_digits, const std::string& track) {
  const auto refusal = detail::fractal_entry(track).refusal;
  if (std::string why = refusal ? refusal(FractalDomain(mask, level), block_digits) : std::string(); !why.empty())
    return why;
  // Compact states are small where the box around them has no end: seconds of a step on a large device.
  constexpr double most = 0x1p40;
  const double launched = fractal_launched(mask, level, block_digits, track);
  if (!(launched > most)) return {};
  return fmt::format("a step would go through {:.3g} places, 2^40 are the most; lambda goes through the cells alone",
                     launched);
}

namespace {
/// The map that a track which owns its step comes nearest to.
std::string nearest_map(const TrackInfo& track) {
  std::vector<std::string> maps;
  for (const auto& entry : detail::fractal_entries())
    if (entry.takes_rules && entry.info.storage == track.storage) maps.push_back(entry.info.name);
  if (maps.empty()) maps.push_back(detail::fractal_entries()[0].info.name);
  return nearest(track.name, maps);
}
}  // namespace

std::unique_ptr<Track> make_fractal_track(Queue& queue, const FractalSettings& settings, const std::string& name) {
  const auto& entry = detail::fractal_entry(name);
  if (names_own(settings.work) && !entry.takes_rules)
    throw UsageError(fmt::format("track '{}' is more than a map: rule '{}' runs under maps, the nearest is '{}'",
                                 entry.info.name, settings.work, nearest_map(entry.info)));
  if (const auto& runs = compiled_fractal_track(entry.info, settings.work); runs.name != entry.info.name)
    throw UsageError(fmt::format("track '{}' is not compiled for work '{}'; the nearest that is: '{}'", entry.info.name,
                                 settings.work, runs.name));
  if (std::string why = fractal_refusal(settings.mask, settings.level, settings.block_digits, name); !why.empty()) {
    // The block nearest to the one asked for that would do.
    std::vector<int> digits = legal_block_digits(settings.mask, settings.level);
    std::erase_if(digits,
                  [&](int j) { return !fractal_refusal(settings.mask, settings.level, j, entry.info.name).empty(); });
    const auto far = [&](int j) { return std::abs(j - settings.block_digits); };
    const auto best = std::min_element(digits.begin(), digits.end(), [&](int a, int b) { return far(a) < far(b); });
    why += best == digits.end() ? "; nor would any other block do"
                                : "; block " + std::to_string(block_side(settings.mask, *best)) + " would do";
    throw UsageError(
        fmt::format("track '{}' of {} at level {}: {}", entry.info.name, settings.mask.key, settings.level, why));
  }
  const int devices = devices_of_track(name, settings.devices);
  if (devices == 1 && !devices_named(name)) {
    FractalSettings one = settings;
    one.devices = 1;
    return entry.make(queue, one, entry.info);
  }
  if (std::string why = fractal_devices_refusal(settings, name); !why.empty())
    throw UsageError(fmt::format("track '{}': {}", name, why));
  FractalSettings shared_out = settings;
  shared_out.devices = devices;
  TrackInfo info = entry.info;
  info.name = fractal_track_name(name);
  if (info.name != entry.info.name) info.title += devices == 1 ? ", one device" : fmt::format(", {} devices", devices);
  return entry.make(queue, shared_out, info);
}

std::string fractal_track_name(const std::string& name) { return with_devices_of(name, find_fractal_track(name).name); }

std::string fractal_devices_refusal(const FractalSettings& settings, const std::string& name) {
  const int devices = devices_of_track(name, settings.devices);
  if (devices == 1) return {};
  const TrackInfo& info = find_fractal_track(name);
  if (info.name != Sliced::info.key)
    return fmt::format("devices={}: a map is about one launch grid; choose {}@1, or {}", devices, info.name,
                       Sliced::info.key);
  if (settings.work != "life")
    return fmt::format("devices={}: work '{}' is no automaton, whose lanes devices could share out; choose {}@1",
                       devices, settings.work, info.name);
  const std::uint32_t copies = static_cast<std::uint32_t>(settings.mask.copies()),
                      count = static_cast<std::uint32_t>(devices);
  if (copies < 2) return fmt::format("devices={}: a state of one cell has no lanes to share out", devices);
  const int least = SlicedShape::lane_digits(copies, count) + SlicedShape::most_block_digits(copies);
  if (settings.level < least)
    return fmt::format("devices={}: words of level {} have too few chunks of 32 cells for them; level {} is the least",
                       devices, settings.level, least);
  // Numbers of lanes have 16 bits, and as many bits of a word as those has a tile bytes.
  const auto lanes = [&](int of) {
    return std::pow(copies, SlicedShape::lane_digits(copies, static_cast<std::uint32_t>(of)));
  };
  constexpr double most_lanes = SlicedSteps::no_lane;
  if (lanes(devices) >= most_lanes) {
    int fewer = devices / 2;
    while (fewer > 1 && lanes(fewer) >= most_lanes) fewer /= 2;
    return fmt::format("devices={}: words of that many would have {:.0f} lanes, {:.0f} are the most; choose {}@{}",
                       devices, lanes(devices), most_lanes - 1, info.name, fewer);
  }
  const FractalDomain domain(settings.mask, settings.level, devices);
  constexpr double most = 1 << 24;
  if (const double words = border_words(domain, SlicedShape(domain)); words > most)
    return fmt::format(
        "devices={}: {:.3g} words have neighbours in other lanes, 2^24 are the most; choose a lower level", devices,
        words);
  return {};
}

const TrackInfo& find_fractal_track(const std::string& name) {
  if (devices_named(name)) return find_fractal_track(without_devices(name));
  if (names_own(name)) return detail::own_fractal_entry(name).info;
  const auto& tracks = fractal_tracks();
  // Parts left out take their defaults: the first track of the list that fits the parts given.
  std::vector<std::string> parts{""};
  for (const char c : name) {
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  const auto fits = [&](const TrackInfo& track) {
    if (track.map != parts[0] || parts.size() > 3) return false;
    // A map without intra maps may have its storage in their place.
    if (parts.size() == 2 && track.intra.empty() && track.storage == parts[1]) return true;
    return (parts.size() < 2 || track.intra == parts[1]) && (parts.size() < 3 || track.storage == parts[2]);
  };
  if (const auto found = std::find_if(tracks.begin(), tracks.end(), fits); found != tracks.end()) return *found;
  // The nearest is looked for among the full names too, of which the short ones are told.
  std::vector<std::string> maps, ways, storages, full;
  const auto add = [](std::vector<std::string>& all, const std::string& one) {
    if (!one.empty() && std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  for (const auto& track : tracks) {
    add(maps, track.map);
    add(ways, track.intra);
    if (track.map != track.storage) add(storages, track.storage);
    full.push_back(track.name);
    full.push_back(track.map + (track.intra.empty() ? "" : "/" + track.intra));
    full.push_back(full.back() + "/" + track.storage);
  }
  throw UsageError("unknown track '" + name + "'; did you mean '" + nearest(name, full) + "'? (known: " + join(maps) +
                   "; a lambda with /INTRA: " + join(ways) + "; maps with /STORAGE: " + join(storages) + ")");
}

std::vector<int> legal_block_digits(const Mask& mask, int level) {
  std::vector<int> legal;
  std::uint64_t threads = 1;
  for (int j = 0; j <= level && threads <= max_block_threads;
       ++j, threads *= std::uint64_t{mask.side_x()} * mask.side_y())
    legal.push_back(j);
  return legal;
}

int default_block_digits(const Mask& mask, int level) {
  int best = 0;
  for (const int j : legal_block_digits(mask, level))
    if (std::pow(mask.side_x() * mask.side_y(), j) <= 256) best = j;
  return best;
}

std::uint32_t block_side(const Mask& mask, int digits) {
  std::uint32_t side = 1;
  for (int i = 0; i < digits; ++i) side *= mask.side_x();
  return side;
}

bool is_fractal_map(const std::string& track) {
  return detail::fractal_entry(track).takes_rules && !(names_own(track) && find_own(track)->form == "kernel");
}

const TrackInfo& compiled_fractal_track(const TrackInfo& track, const std::string& work) {
  const auto& entry = detail::fractal_entry(track.name);
  return entry.only_work && work != entry.only_work ? find_fractal_track(entry.else_track) : track;
}

const std::vector<TrackInfo>& fractal_tracks(const std::string& work) {
  static const auto by_work = [] {
    std::map<std::string, std::vector<TrackInfo>> all;
    for (const auto& entry : detail::fractal_entries())
      if (entry.takes_rules) all["own:"].push_back(entry.info);
    for (const auto& one : fractal_works())
      for (const auto& track : fractal_tracks())
        if (compiled_fractal_track(track, one.key).name == track.name) all[one.key].push_back(track);
    return all;
  }();
  const auto found = by_work.find(names_own(work) ? "own:" : work);
  const auto& compiled = found == by_work.end() ? fractal_tracks() : found->second;
  const auto own = own_names();
  if (own.empty()) return compiled;
  // As own maps come, there are more: who holds the list of before keeps it.
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::uint64_t>, std::vector<TrackInfo>> with_own;
  const std::lock_guard lock(mutex);
  auto& all = with_own[{work, own_version()}];
  if (all.empty()) {
    all = compiled;
    for (const auto& name : own)
      for (const auto& track : detail::own_fractal_names(name)) all.push_back(find_fractal_track(track));
  }
  return all;
}

int block_digits_of(const Mask& mask, int level, long long side) {
  std::vector<std::string> legal;
  for (const int j : legal_block_digits(mask, level)) {
    if (block_side(mask, j) == side) return j;
    legal.push_back(std::to_string(block_side(mask, j)));
  }
  throw UsageError(
      fmt::format("block {}: not legal for '{}' at level {}; a block's side is a power of {} with at most 1024 threads "
                  "and no larger "
                  "than the domain: {}",
                  side, mask.key, level, mask.side_x(), join(legal)));
}

double fractal_track_bytes(const Mask& mask, int level, int block_digits, const std::string& track) {
  const auto& entry = detail::fractal_entry(track);
  const double state = entry.state_bytes(FractalDomain(mask, level), block_digits);
  const double blocks = std::pow(double(mask.side_x()) * mask.side_y(), level - block_digits);
  // Two states, what sums and seals are added up in, and two bytes a launched block for the picture of the launch grid.
  constexpr double slots =
      sizeof(std::uint64_t) * (SumSlots::slots * SumSlots::words_apart + SealSlots::slots * SealSlots::words_apart);
  // What judging keeps of an own map: who serves each place of small boxes, and two bits a place.
  const double places = std::pow(double(mask.side_x()) * mask.side_y(), level);
  const double judged = names_own(track) ? (places <= 0x1p24 ? 8 * places : 0) + places / 4 : 0;
  return judged + 2 * state + slots +
         (blocks <= double(1u << 28) && entry.info.map != entry.info.storage ? 2 * blocks : 0);
}

namespace {
/// Of all tracks, on the device that needs the most: of cards the first one, where states lie.
double most_on_a_device(Backend backend, const FractalSettings& settings, const std::vector<std::string>& tracks) {
  double all = 0;
  for (const auto& track : tracks)
    all += fractal_track_bytes(settings.mask, settings.level, settings.block_digits, track) /
           (backend == Backend::cpu ? devices_of_track(track, settings.devices) : 1);
  return all;
}
void check_device_memory(Backend backend, const FractalSettings& settings, const std::vector<std::string>& tracks) {
  const auto limit = static_cast<double>(settings.device_memory);
  const double needed = most_on_a_device(backend, settings, tracks);
  if (limit == 0 || needed <= limit) return;
  std::string instead = "; choose a lower level";
  FractalSettings more = settings;
  for (more.devices = 2; more.devices <= most_devices_there(backend); more.devices *= 2) {
    bool all = true;
    for (const auto& track : tracks) all = all && fractal_devices_refusal(more, track).empty();
    const double each = most_on_a_device(backend, more, tracks);
    if (!all || each > limit) continue;
    instead = fmt::format("; with devices={}: {} each", more.devices, bytes_text(each));
    break;
  }
  throw UsageError(
      fmt::format("device 0 needs {}, {} allowed (device_memory){}", bytes_text(needed), bytes_text(limit), instead));
}
}  // namespace

void check_fractal_memory(Backend backend, const FractalSettings& settings, const std::vector<std::string>& tracks,
                          std::uint64_t bytes_to_be_released) {
  double needed = 0;
  for (const auto& track : tracks)
    needed += fractal_track_bytes(settings.mask, settings.level, settings.block_digits, track);
  const double available = static_cast<double>(free_bytes(backend)) + static_cast<double>(bytes_to_be_released);
  // A tenth is left to the pictures, the driver and everybody else.
  const auto devices = [&](const std::string& track) { return devices_of_track(track, settings.devices); };
  check_device_count("devices", settings.devices);
  for (const auto& track : tracks) {
    check_devices(backend, devices(track));
    if (std::string why = fractal_devices_refusal(settings, track); !why.empty())
      throw UsageError(fmt::format("track {}: {}", track, why));
  }
  check_device_memory(backend, settings, tracks);
  if (needed > .9 * available)
    throw UsageError(fmt::format(
        "level {}: {} {} {} ({} bytes) of {} memory, {} ({} bytes) are free; choose a lower level or fewer tracks",
        settings.level, tracks.size(), tracks.size() == 1 ? "track needs" : "tracks need", bytes_text(needed),
        grouped(static_cast<unsigned long long>(std::min(needed, 1.8e19))), name(backend), bytes_text(available),
        grouped(static_cast<unsigned long long>(available))));
}

bool fractal_member(const Mask& mask, int level, std::uint32_t x, std::uint32_t y) {
  return FractalDomain(mask, level).contains({x, y, 0});
}

}  // namespace warploom
