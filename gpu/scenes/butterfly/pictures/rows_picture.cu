#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/butterfly/pictures/paint_rows.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

constexpr const char* sixty_below = "-60 dB";

/// Rows so high that the picture is half as high as wide, within reason.
double row_height(const ButterflySettings& settings) {
  const double wide = static_cast<double>(output_shape(settings).elements), high = static_cast<double>(settings.batch);
  return std::clamp(.5 * wide / high, 1. / 16, 64.);
}

bool is_complex(const ButterflySettings& settings) { return output_shape(settings).numpy[1] == 'c'; }

}  // namespace

PictureOfRows::PictureOfRows(ButterflyTrack& track, PictureInfo info) : Picture(std::move(info)), track_(track) {}

std::uint64_t PictureOfRows::version(const PictureRequest&) const { return track_.version(); }

ValueRange PictureOfRows::range(const PictureRequest&) const {
  // A picture that was never painted has no range yet.
  const float top = top_;
  return top > 0 ? ValueRange{0, top} : ValueRange{};
}

Legend PictureOfRows::legend(const PictureRequest&) const {
  return {is_complex(track_.problem().settings) ? sixty_below : "0", "largest", false, .03f};
}

template <class Rows>
void PictureOfRows::paint_rows(Queue& queue, const PictureRequest& request, const Rows& rows) {
  if (most_.size() == 0) most_ = Buffer<std::uint32_t>(queue.backend(), 1);
  most_.zero(queue);
  launch("butterfly.most", queue, row_shape(rows.rows() * rows.elements), MostOf<Rows>{rows, most_.data()});
  const std::uint32_t bits = most_.download(queue)[0];
  float most = 0;
  std::memcpy(&most, &bits, sizeof most);
  top_ = most;
  paint_pixels(queue, request,
               PaintRows<Rows>{rows, request.values.empty() ? most : request.values.high,
                               is_complex(track_.problem().settings), PixelsOf(request), request.palette});
}

std::vector<PictureLabel> PictureOfRows::axes(const std::string& first, const std::string& last, double end) const {
  const auto sides = extent();
  const std::uint64_t elements = output_shape(track_.problem().settings).elements;
  const std::string unit = track_.is_spectrum(true) ? "bin " : "element ";
  std::vector<PictureLabel> all;
  constexpr std::uint64_t parts = 4;
  const double half = sides[0] / parts / 2;
  for (std::uint64_t i = 0; i <= parts; ++i) {
    const std::uint64_t at = i * (elements - 1) / parts;
    const double x = (static_cast<double>(at) + .5) * sides[0] / static_cast<double>(elements);
    const std::string number = std::to_string(at);
    all.push_back({{x - half, sides[1]}, {x + half, sides[1]}, {unit + number, number}, 0, 1, false});
  }
  all.push_back({{0, 0}, {sides[0], 0}, {first}, 1, 1, true});
  if (!last.empty()) all.push_back({{0, end}, {sides[0], end}, {last}, 2, -1, true});
  return all;
}

RowsPicture::RowsPicture(ButterflyTrack& track)
    : PictureOfRows(track, {.shape = PictureInfo::Shape::plane,
                            .key = "rows",
                            .title = "Output rows",
                            .space = output_space,
                            .tall = row_height(track.problem().settings),
                            .fills = true,
                            .colours = {ColourBy::state}}) {}

std::array<double, 3> RowsPicture::extent(const Looking&) const {
  return {static_cast<double>(output_shape(track_.problem().settings).elements),
          static_cast<double>(track_.problem().settings.batch), 1};
}

std::string RowsPicture::caption() const {
  const auto& settings = track_.problem().settings;
  return short_count(settings.batch) + " \u00d7 " + short_count(output_shape(settings).elements);
}

Selection RowsPicture::at(Queue*, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  return {output_space, *place, 0, {}};
}

std::vector<Outline> RowsPicture::marks(const Selected& selected, const Looking&) const {
  const Index3 at = selected.selection.at;
  const auto sides = extent();
  if (selected.selection.space != output_space || at.x >= sides[0] || at.y >= sides[1]) return {};
  return {{Outline::Kind::place, {double(at.x), double(at.y), 0}, {at.x + 1., at.y + 1., 1}, 0, {}}};
}

std::vector<PictureLabel> RowsPicture::labels(const PictureRequest&) const {
  const std::uint64_t rows = track_.problem().settings.batch;
  return axes("row 0", rows > 1 ? "row " + std::to_string(rows - 1) : "", static_cast<double>(rows));
}

void RowsPicture::paint(Queue& queue, const PictureRequest& request) {
  const ButterflyTrack::Reading reading(track_, queue);
  paint_rows(queue, request, reading.rows());
}

// ---- the last outputs of one row
// --------------------------------------------------------------------------------------
WaterfallPicture::WaterfallPicture(ButterflyTrack& track)
    : PictureOfRows(track, {.shape = PictureInfo::Shape::plane,
                            .key = "waterfall",
                            .title = "Waterfall",
                            .space = output_space,
                            .tall = .7 * track.kept_columns() / static_cast<double>(KeptRows::shown),
                            .fills = true,
                            .colours = {ColourBy::state}}) {}

std::array<double, 3> WaterfallPicture::extent(const Looking&) const {
  return {static_cast<double>(track_.kept_columns()), static_cast<double>(KeptRows::shown), 1};
}

std::string WaterfallPicture::heading() const { return "row " + std::to_string(track_.problem_shown()); }

std::string WaterfallPicture::caption() const { return "last " + counted(shown_, "output"); }

Selection WaterfallPicture::at(Queue*, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  const std::uint64_t elements = output_shape(track_.problem().settings).elements;
  return {output_space,
          {static_cast<std::uint32_t>(place->x * elements / track_.kept_columns()),
           static_cast<std::uint32_t>(track_.problem_shown()), 0},
          0,
          {}};
}

std::vector<Outline> WaterfallPicture::marks(const Selected& selected, const Looking&) const {
  const Index3 at = selected.selection.at;
  const std::uint64_t elements = output_shape(track_.problem().settings).elements;
  if (selected.selection.space != output_space || at.x >= elements || at.y != track_.problem_shown()) return {};
  const std::uint64_t shown = at.x * std::uint64_t{track_.kept_columns()} / elements;
  const auto column = static_cast<double>(shown);
  return {{Outline::Kind::block, {column, 0, 0}, {column + 1, static_cast<double>(KeptRows::shown), 1}, 0, {}}};
}

std::vector<PictureLabel> WaterfallPicture::labels(const PictureRequest&) const {
  const std::uint64_t rows = shown_, newest = newest_step_;
  if (rows == 0) return {};
  const std::uint64_t oldest = newest - std::min(newest, rows - 1);
  const double end = static_cast<double>(KeptRows::shown * rows) / static_cast<double>(KeptRows::room_for(rows));
  return axes("step " + std::to_string(newest) + ", the newest", rows > 2 ? "step " + std::to_string(oldest) : "", end);
}

void WaterfallPicture::paint(Queue& queue, const PictureRequest& request) {
  const ButterflyTrack::Reading reading(track_, queue);
  const KeptRows kept = reading.kept();
  shown_ = kept.rows();
  newest_step_ = reading.step();
  const double stretch = static_cast<double>(KeptRows::shown) / static_cast<double>(kept.room());
  PictureRequest in_rows = request;
  in_rows.camera.y /= stretch;
  in_rows.camera.cells_per_pixel_y /= stretch;
  paint_rows(queue, in_rows, kept);
}

}  // namespace warploom
