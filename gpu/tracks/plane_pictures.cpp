#include "gpu/tracks/plane_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/tracks/facets/over_devices.h"

namespace warploom {

namespace {

/// All launches, in threads.
Index3 launches_extent(const CellTrack& track) {
  const Index3 blocks = track.board().extent, block = track.launches()[0].threads;
  return {blocks.x * block.x, blocks.y * block.y, 1};
}
/// A grid of one row would be a line: nothing is drawn flatter than 6 : 1.
double launches_tall(const CellTrack& track) {
  const Index3 threads = launches_extent(track);
  return std::max(1., double(threads.x) / threads.y / 6);
}

/// Whether a block serves any cell: the others stay where they are launched.
bool serves(const CellTrack& track, const std::pair<Cell, Cell>& box) {
  const auto& threads = track.need<Threads>();
  for (std::uint32_t y = box.first.y; y < box.second.y; ++y)
    for (std::uint32_t x = box.first.x; x < box.second.x; ++x)
      if (threads.member({x, y, 0})) return true;
  return false;
}

std::string what_it_serves(const CellTrack& track, const Owner& who) {
  const auto served = track.served(who);
  return served.cells == 0 ? "is wasted" : fmt::format("serves {} of its {} cells", served.cells, served.places);
}

}  // namespace

std::uint64_t cells_version(const CellTrack& track, bool shows_state) {
  return 2 + 2 * (shows_state ? track.version() : 0) + track.counts().has_value();
}

Legend cells_legend(const CellTrack& track, const PictureRequest& request) {
  const LaunchShape& shape = track.launches()[0];
  const auto last = [](std::uint64_t count) { return count > 1 ? grouped(count - 1) : std::string(); };
  switch (request.colour_by) {
    case ColourBy::state:
      return track.state_legend(request.values);
    case ColourBy::launch_order:
      return {"block 0", last(track.board().visits)};
    case ColourBy::warp:
      return {"warp 0", last((volume(shape.threads) + warp_size - 1) / warp_size)};
    case ColourBy::layer: {
      const bool solid = track.dimensions() > 2;
      const Index3 cells = track.extent(), block = track.block_cells();
      const std::uint32_t side = solid ? block.z : block.y;
      return {"layer 0", last(((solid ? cells.z : cells.y) + side - 1) / side)};
    }
    case ColourBy::waste:
      return {"0 % wasted", "100 %"};
    case ColourBy::address:
      return {"first byte", "last"};
    default:
      return {};  // of other scenes' pictures
  }
}

std::string blocks_in_words(const CellTrack& track) {
  const LaunchShape& launch = track.launches()[0];
  const Index3 threads = launch.threads;
  Index3 cells = track.block_cells();
  // A launched block may serve several of the domain's.
  if (const auto all = track.footprint({}); all && all->second.y - all->first.y > cells.y)
    cells = {all->second.x - all->first.x, all->second.y - all->first.y, cells.z};
  const std::string box =
      track.dimensions() > 2 ? fmt::format("{}\u00b3", cells.x) : fmt::format("{} \u00d7 {}", cells.x, cells.y);
  // Threads alone where they lie as their cells do; else how many there are, and for which cells.
  std::string words = "blocks of " + (threads == cells ? box : grouped(volume(threads))) + " threads";
  if (threads != cells) words += ", each block for " + box + " cells";
  if (launch.gang > 1) words += fmt::format(", {} launched as one", launch.gang);
  return words;
}

std::string launches_caption(const CellTrack& track) {
  const auto counts = track.counts();
  if (!counts) return "counting \u2026";
  if (counts->wrong && track.dimensions() > 2) return counted(counts->wrong, "block") + " mis-mapped";
  return short_count(counts->blocks - counts->blocks_useful) + " of " + short_count(counts->blocks) + " blocks idle";
}

PlaneOfCells::PlaneOfCells(CellTrack& track, double tall, std::vector<ColourBy> colours, bool morphs)
    : Picture({.shape = PictureInfo::Shape::plane,
               .key = "data",
               .title = "Data space",
               .space = Selection::cell,
               .tall = tall,
               .colours = std::move(colours),
               .sampled = true,
               .morphs = morphs}),
      track_(track) {}

std::string PlaneOfCells::caption() const {
  return fmt::format("data space {} \u00d7 {}", grouped(track_.extent().x), grouped(track_.extent().y));
}

Selection PlaneOfCells::at(Queue*, const PictureRequest& request, double x, double y) {
  if (request.solid.morph < 1) return {};  // the blocks are under way: the launch grid can be pointed at
  const auto place = place_under(request, extent(), x, y);
  return place ? Selection{Selection::cell, *place} : Selection{};
}

FlightPath PlaneOfCells::path(double morph) const {
  const Index3 threads = track_.launches()[0].threads;
  // Whatever block serves cells: all cover as many.
  return FlightPath::over(launches_extent(track_), track_.extent(), threads, track_.block_cells(),
                          launches_tall(track_) / info().tall, morph);
}

std::vector<Outline> marks_of_cells(const CellTrack& track, const Selected& selected, std::array<double, 3> unit) {
  std::vector<Outline> all;
  const auto mark = [&](Outline::Kind kind, Cell low, Cell high) {
    const auto in_units = [&](Cell at) { return std::array{at.x / unit[0], at.y / unit[1], at.z / unit[2]}; };
    all.push_back({kind, in_units(low), in_units(high)});
  };
  if (selected.owner)
    if (const auto box = track.footprint(*selected.owner)) mark(Outline::Kind::block, box->first, box->second);
  if (!selected.target || selected.selection.space == Selection::block) return all;
  // The boxes of a thread that serves several; its item is the place in them.
  if (selected.owner)
    for (const auto& [first, end] : track.thread_boxes(*selected.owner)) mark(Outline::Kind::place, first, end);
  const Cell low = selected.target->cell;
  mark(selected.target->useful ? Outline::Kind::place : Outline::Kind::waste, low, {low.x + 1, low.y + 1, low.z + 1});
  return all;
}

std::vector<Outline> PlaneOfCells::marks(const Selected& selected, const Looking& looking) const {
  if (looking.morph < 1) {
    if (!selected.owner) return {};
    const auto box = track_.footprint(*selected.owner);
    const bool flies = box && serves(track_, *box);
    const auto way = path(looking.morph).box(track_.board().place(*selected.owner), flies ? box->first : Cell{}, flies);
    return {{Outline::Kind::block, {way.left, way.top, 0}, {way.left + way.wide, way.top + way.high, 1}}};
  }
  auto all = marks_of_cells(track_, selected, {1, 1, 1});
  if (all.empty() || all.back().kind != Outline::Kind::waste || !selected.own) return all;
  // An empty place: whose thread is wasted on it. Where another track's thread was pointed at, that one tells.
  all.back().word = selected.owner
                        ? "empty: thread " + place_text(selected.owner->thread, 2) + " of block " +
                              place_text(selected.owner->block, 2) + " " + what_it_serves(track_, *selected.owner)
                        : "empty: no thread comes here";
  return all;
}

PlaneOfLaunches::PlaneOfLaunches(CellTrack& track)
    : Picture({.key = "launch",
               .title = "Launch grid",
               .space = Selection::thread,
               .tall = launches_tall(track),
               .colours = {ColourBy::state, ColourBy::launch_order}}),
      track_(track) {}

std::array<double, 3> PlaneOfLaunches::extent(const Looking&) const { return real(launches_extent(track_)); }

std::string launches_heading(const CellTrack& track) {
  const auto& launches = track.launches();
  const std::string blocks = blocks_in_words(track);
  if (launches.size() > 1)
    return fmt::format("{} {}, {}", launches.size(), track.facet<OverDevices>() ? "devices" : "launches", blocks);
  const Index3 grid = launches[0].blocks;
  const std::string deep = track.dimensions() > 2 ? " \u00d7 " + grouped(grid.z) : "";
  return fmt::format("{} \u00d7 {}{} {}", grouped(grid.x), grouped(grid.y), deep, blocks);
}

Selection PlaneOfLaunches::at(Queue*, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  const Index3 block = track_.launches()[0].threads;
  Selection found{Selection::thread};
  std::uint64_t visit = 0;
  if (!track_.board().at({place->x / block.x, place->y / block.y, 0}, visit, found.owner)) return {};
  found.owner.thread = {place->x % block.x, place->y % block.y, 0};
  return found;
}

std::vector<Outline> PlaneOfLaunches::marks(const Selected& selected, const Looking&) const {
  if (!selected.owner) return {};
  const Index3 place = track_.board().place(*selected.owner), block = track_.launches()[0].threads;
  const double x = double(place.x) * block.x, y = double(place.y) * block.y;
  const Index3 thread = selected.owner->thread;
  std::vector<Outline> all{
      {Outline::Kind::block, {x, y, 0}, {x + block.x, y + block.y, 1}},
      {Outline::Kind::place, {x + thread.x, y + thread.y, 0}, {x + thread.x + 1, y + thread.y + 1, 1}, 4}};
  if (const auto gang = gang_of(track_, *selected.owner))
    all.push_back({Outline::Kind::place,
                   {double(gang->first.x) * block.x, y, 0},
                   {double(gang->second.x) * block.x, y + block.y, 1}});
  return all;
}

std::optional<std::pair<Index3, Index3>> gang_of(const CellTrack& track, const Owner& who) {
  const LaunchShape& launch = track.launches()[static_cast<std::size_t>(who.launch)];
  if (launch.gang == 1) return std::nullopt;
  Owner first = who, last = who;
  first.block.x = who.block.x / launch.gang * launch.gang;
  last.block.x = std::min(first.block.x + launch.gang, launch.blocks.x) - 1;
  const Index3 from = track.board().place(first), to = track.board().place(last);
  // A row that is folded in the picture may part a gang.
  if (to.y != from.y || to.z != from.z || to.x - from.x != last.block.x - first.block.x) return std::nullopt;
  return std::pair{from, Index3{to.x + 1, to.y + 1, to.z + 1}};
}

}  // namespace warploom
