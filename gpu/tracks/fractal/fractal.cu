#include "gpu/tracks/fractal/fractal.h"

#include "gpu/tracks/fractal/fractal_lane.h"

namespace warploom {

namespace {

using MakeLane = std::unique_ptr<Lane> (*)(Queue&, const FractalSettings&, const LaneInfo&);

struct Entry {
  LaneInfo info;
  MakeLane make;
};

/// Every map with every storage, from the lists.
std::vector<Entry> make_entries() {
  std::vector<Entry> entries;
  bool first_storage = true;
  for_each_type(FractalStorages{}, [&]<class Storage>() {
    for_each_type(FractalMaps{}, [&]<class Map>() {
      LaneInfo info;
      info.map = Map::info.key;
      info.storage = Storage::info.key;
      info.title = Map::info.title;
      info.description = Map::info.description;
      info.citation = Map::info.citation;
      info.exact = Map::info.exact;
      info.name = info.map;
      if (const MapInfo* intra = intra_info<Map>()) {
        info.intra = intra->key;
        info.description += std::string(" \u00b7 ") + intra->title;
        if (!std::is_same_v<SubBoxes, typename MapIntra<Map>::type> || !first_storage) info.name += "/" + info.intra;
      }
      if (!first_storage) info.name += std::string("/") + (info.intra.empty() ? "/" : "") + info.storage;
      entries.push_back(
          {info, [](Queue& queue, const FractalSettings& settings, const LaneInfo& with) -> std::unique_ptr<Lane> {
             return std::make_unique<FractalLane<Map, Storage>>(queue, settings, with);
           }});
    });
    first_storage = false;
  });
  return entries;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = make_entries();
  return all;
}

}  // namespace

const std::vector<LaneInfo>& fractal_lanes() {
  static const std::vector<LaneInfo> all = [] {
    std::vector<LaneInfo> infos;
    for (const auto& entry : entries()) infos.push_back(entry.info);
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

std::unique_ptr<Lane> make_fractal_lane(Queue& queue, const FractalSettings& settings, const std::string& name) {
  const LaneInfo& wanted = find_fractal_lane(name);
  for (const auto& entry : entries())
    if (entry.info.name == wanted.name) return entry.make(queue, settings, entry.info);
  throw Error("lane '" + name + "' is listed but cannot be made");
}

}  // namespace warploom
