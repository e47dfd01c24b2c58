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
  float x0 = sides.first;
  const float x1 = window.x - sides.second;
  parts.left = {{0, top}, {x0, bottom}};
  if (shown.editor) {
    const float least = px(380), room = x1 - x0 - px(300);
    const float width = room >= least ? std::clamp(px(layout.editor_width), least, room) : x1 - x0;
    parts.editor = {{x0, top}, {x0 + width, bottom}};
    x0 += width;
  }
  parts.right = {{x1, top}, {window.x, bottom}};
  if (x0 >= x1) {  // the editor has the place of the pictures
    parts.centre = parts.head = parts.plots = {{x1, top}, {x1, bottom}};
    return parts;
  }
  const float head_end = top + std::min(shown.head, std::floor((bottom - top) / 3));
  parts.head = {{x0, top}, {x1, head_end}};
  parts.centre = {{x0, head_end}, {x1, bottom}};

  // Launch grids that were not resized are as large as the data, or have a fifth of a large window.
  const float height = bottom - head_end;
  const bool halves = shown.grid && shown.large_grids && layout.grid_height <= 0;
  const float wished =
      layout.grid_height > 0 ? px(layout.grid_height) : std::max(px(176), std::floor((bottom - top) * .2f));
  // Tracks as columns, or two by two where that leaves the pictures more room: their shorter side counts.
  const float narrow = (x1 - x0) / static_cast<float>(parts.tracks), plots = shown.plots ? px(layout.plots_height) : 0,
              grids = !shown.grid ? 0
                      : halves    ? std::floor((height - plots) / 2)
                                  : wished,
              margin_x = px(48), margin_y = px(76);
  const float side_in_columns = std::min(narrow - margin_x, height - plots - grids - margin_y),
              side_in_tiles = std::min(2 * narrow - margin_x, (height - plots - grids) / 2 - margin_y);
  const bool tiles = parts.tracks > 2 && (narrow < px(176) || side_in_tiles > side_in_columns);
  const int bands = tiles ? 2 : 1, columns = tiles ? 2 : parts.tracks;

  // Pictures above, launch grids and plots below. With two bands each grid has half its height.
  const float least_grid = px(tiles ? 64 : 96) * static_cast<float>(bands);
  const bool apart = shown.grid && !halves;
  const Pair least{apart ? least_grid : 0, shown.plots ? px(104) : 0};
  // Plots leave pictures and launch grids of one size three quarters.
  const float most_below = halves                   ? std::max(.25f * height, std::min(px(104), .55f * height))
                           : layout.grid_height > 0 ? .65f * height
                                                    : (tiles ? .45f : .55f) * height;
  Pair below = share(
      {apart ? std::max(wished, least.first) : 0, shown.plots ? std::max(px(layout.plots_height), least.second) : 0},
      least, most_below);
  if (halves) {
    // Two by two in a small window, plots give way to the pictures.
    if (tiles && (height - below.second) / 4 < px(112)) below.second = 0;
    below.first = std::floor((height - below.second) / 2);
    if (below.first < least_grid) below.first = 0;
  }
  const float plots_top = bottom - below.second, grid = std::floor(below.first / static_cast<float>(bands));
  parts.plots = {{x0, plots_top}, {x1, bottom}};
  for (int track = 0; track < parts.tracks; ++track) {
    const int column = track % columns, band = track / columns;
    const auto at = static_cast<std::size_t>(track);
    // The third of three tracks has the lower band to itself.
    const bool whole = tiles && parts.tracks == 3 && track == 2;
    const float left = cut(x0, x1, column, columns), right = whole ? x1 : cut(x0, x1, column + 1, columns);
    const float band_top = cut(head_end, plots_top, band, bands), band_end = cut(head_end, plots_top, band + 1, bands);
    parts.data[at] = {{left, band_top}, {right, band_end - grid}};
    parts.grid[at] = {{left, band_end - grid}, {right, band_end}};
  }
  return parts;
}

}  // namespace warploom::ui
