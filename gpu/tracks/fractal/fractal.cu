#include "gpu/tracks/fractal/fractal.h"

#include "gpu/tracks/fractal/fractal_track.h"

namespace warploom {

namespace {

using MakeTrack = std::unique_ptr<Track> (*)(Queue&, const FractalSettings&, const TrackInfo&);

struct Entry {
  TrackInfo info;
  MakeTrack make;
};

/// Every map with every storage, from the lists.
std::vector<Entry> make_entries() {
  std::vector<Entry> entries;
  bool first_storage = true;
  for_each_type(FractalStorages{}, [&]<class Storage>() {
    for_each_type(FractalMaps{}, [&]<class Map>() {
      TrackInfo info;
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
          {info, [](Queue& queue, const FractalSettings& settings, const TrackInfo& with) -> std::unique_ptr<Track> {
             return std::make_unique<FractalTrack<Map, Storage>>(queue, settings, with);
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

const std::vector<TrackInfo>& fractal_tracks() {
  static const std::vector<TrackInfo> all = [] {
    std::vector<TrackInfo> infos;
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

std::unique_ptr<Track> make_fractal_track(Queue& queue, const FractalSettings& settings, const std::string& name) {
  const TrackInfo& wanted = find_fractal_track(name);
  for (const auto& entry : entries())
    if (entry.info.name == wanted.name) return entry.make(queue, settings, entry.info);
  throw Error("track '" + name + "' is listed but cannot be made");
}

}  // namespace warploom
