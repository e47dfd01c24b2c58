#include "viewer/ui/layout.h"

#include <algorithm>
#include <cmath>

namespace warploom::ui {
namespace {

/// Two wishes cut down to `room`: in proportion, neither below its least. The second is dropped first, then the first.
struct Pair {
  float first, second;
};

Pair share(Pair wish, Pair least, float room) {
  if (wish.first + wish.second <= room) return wish;
  if (least.first + least.second <= room) {
    const float factor = room / (wish.first + wish.second);
    float first = std::max(least.first, std::floor(wish.first * factor));
    first = std::min(first, room - least.second);
    return {first, std::floor(room - first)};
  }
  if (wish.first > 0 && least.first <= room) return {std::min(wish.first, std::floor(room)), 0};
  if (wish.second > 0 && least.second <= room && wish.first <= 0) return {0, std::min(wish.second, std::floor(room))};
  return {0, 0};
}

/// The i-th of `count` equal parts of low..high, on whole pixels.
float cut(float low, float high, int i, int count) {
  return std::floor(low + (high - low) * static_cast<float>(i) / static_cast<float>(count) + 0.5f);
}

}  // namespace

Arrangement arrange(const Layout& layout, ImVec2 window, int tracks, const Shown& shown, float scale) {
  const auto px = [&](float value) { return std::floor(value * scale + 0.5f); };
  Arrangement parts;
  parts.tracks = std::clamp(tracks, 1, 4);
  const float top = shown.frame ? px(40) : 0,
              bottom = window.y - (shown.frame ? px(26) : 0) - std::min(shown.foot, window.y / 3);
  parts.top = {{0, 0}, {window.x, top}};
  parts.status = {{0, shown.frame ? window.y - px(26) : window.y}, {window.x, window.y}};
  parts.foot = {{0, bottom}, {window.x, parts.status.min.y}};

  // Panels at the sides.
  const float middle = std::max(px(240), window.x * 0.42f);
  const Pair least_sides{shown.left ? px(200) : 0, shown.right ? px(232) : 0};
  const Pair sides = share({shown.left ? std::max(px(layout.left_width), least_sides.first) : 0,
                            shown.right ? std::max(px(layout.right_width), least_sides.second) : 0},
                           least_sides, window.x - middle);
  const float x0 = sides.first, x1 = window.x - sides.second;
  parts.left = {{0, top}, {x0, bottom}};
  parts.right = {{x1, top}, {window.x, bottom}};
  parts.centre = {{x0, top}, {x1, bottom}};

  const float height = bottom - top;
  const bool even = shown.even_grids && shown.grid && !shown.large_grids && layout.grid_height <= 0;
  // Where the pictures share a column evenly, plots leave them four fifths of it.
  const float plots = !shown.plots ? 0
                      : even ? share({0, std::max(px(layout.plots_height), px(104))}, {0, px(104)}, height * .2f).second
                             : px(layout.plots_height);
  // Launch grids that were not resized have half of what the plots leave, or a fifth of a large window.
  const float wished = even                     ? std::floor((height - plots) / 2)
                       : layout.grid_height > 0 ? px(layout.grid_height)
                                                : std::max(px(176), std::floor(height * .2f));
  // Tracks as columns, or two by two where that leaves the pictures more room: their shorter side counts.
  const float narrow = (x1 - x0) / static_cast<float>(parts.tracks), grids = shown.grid ? wished : 0, margin_x = px(48),
              margin_y = px(76);
  // Two by two a launch grid below its data may be a sliver: then it stands to the left of it.
  const float launch_share = even ? .5f : .42f;
  const float side_in_columns = std::min(narrow - margin_x, height - plots - grids - margin_y),
              side_above = std::min(2 * narrow - margin_x, (height - plots - grids) / 2 - margin_y),
              side_beside = std::min(2 * narrow * (1 - launch_share) - margin_x, (height - plots) / 2 - margin_y);
  const bool beside =
      shown.grid && !shown.large_grids && side_beside > side_above && 2 * narrow >= px(320);  // titles need room
  const float side_in_tiles = beside ? side_beside : side_above;
  const bool tiles = parts.tracks > 2 && (narrow < px(176) || side_in_tiles > side_in_columns);
  const int bands = tiles ? 2 : 1, columns = tiles ? 2 : parts.tracks;

  // Pictures above, launch grids and plots below. With two bands each grid has half its height.
  const Pair least{shown.grid ? px(tiles ? 64 : 96) * static_cast<float>(bands) : 0, shown.plots ? px(104) : 0};
  const float most_below = layout.grid_height > 0 ? .65f : tiles ? .45f : .55f;
  const Pair below = even && wished >= least.first
                         ? Pair{wished, plots}
                         : share({shown.grid ? std::max(wished, least.first) : 0,
                                  shown.plots ? std::max(px(layout.plots_height), least.second) : 0},
                                 least, height * most_below);
  const float plots_top = bottom - below.second, grid = std::floor(below.first / static_cast<float>(bands));
  parts.plots = {{x0, plots_top}, {x1, bottom}};
  const bool wide = even && parts.tracks == 1 && x1 - x0 > plots_top - top;
  if (shown.grid && ((shown.large_grids && parts.tracks <= 2) || wide)) {
    for (int track = 0; track < parts.tracks; ++track) {
      const float row = cut(top, plots_top, track, parts.tracks), end = cut(top, plots_top, track + 1, parts.tracks),
                  middle_x = cut(x0, x1, 1, 2);
      parts.grid[static_cast<std::size_t>(track)] = {{x0, row}, {middle_x, end}};
      parts.data[static_cast<std::size_t>(track)] = {{middle_x, row}, {x1, end}};
    }
    parts.beside = true;
    return parts;
  }
  for (int track = 0; track < parts.tracks; ++track) {
    const int column = track % columns, band = track / columns;
    const auto at = static_cast<std::size_t>(track);
    // The third of three tracks has the lower band to itself.
    const bool whole = tiles && parts.tracks == 3 && track == 2;
    const float left = cut(x0, x1, column, columns), right = whole ? x1 : cut(x0, x1, column + 1, columns);
    const float band_top = cut(top, plots_top, band, bands), band_end = cut(top, plots_top, band + 1, bands);
    if (tiles && beside) {
      const float middle_x = std::floor(left + (right - left) * launch_share);
      parts.grid[at] = {{left, band_top}, {middle_x, band_end}};
      parts.data[at] = {{middle_x, band_top}, {right, band_end}};
      parts.beside = true;
      continue;
    }
    const float own = shown.grid && shown.large_grids ? std::floor((band_end - band_top) / 2) : grid;
    parts.data[at] = {{left, band_top}, {right, band_end - own}};
    parts.grid[at] = {{left, band_end - own}, {right, band_end}};
  }
  return parts;
}

}  // namespace warploom::ui
