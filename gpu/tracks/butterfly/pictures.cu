#include "gpu/tracks/butterfly/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/core/launch.h"
#include "gpu/core/words.h"
#include "gpu/pictures/place_under.h"
#include "gpu/tracks/butterfly/paint.h"
#include "gpu/tracks/butterfly/track.h"

namespace warploom {

namespace {

RowValues row_values(const RowShape& shape, bool keys) {
  if (shape.numpy[1] == 'c') return RowValues::complex;
  if (shape.numpy[1] == 'f') return RowValues::real;
  return keys ? RowValues::key : RowValues::whole;
}

/// What a step of a trace is shown by.
float magnitude(const std::uint8_t* element, const RowShape& shape) {
  float f[4];
  std::memcpy(f, element, std::min<std::size_t>(shape.bytes, sizeof f));
  if (shape.width == 4) return std::abs(f[3] / f[1]);  // an equation: what its unknown is but for its neighbours
  if (shape.numpy[1] == 'c') return std::hypot(f[0], f[1]);
  if (shape.numpy[1] == 'f') return std::abs(f[0]);
  std::uint32_t word[2];
  std::memcpy(word, element, std::min<std::size_t>(shape.bytes, sizeof word));
  if (shape.width == 2) return static_cast<float>(word[1]);
  return static_cast<float>(word[0]);
}

}  // namespace

// ---- the network ----------------------------------------------------------------------------------------------------
NetworkPicture::NetworkPicture(ButterflyTrack& track)
    : Picture({.shape = PictureInfo::Shape::plane,
               .key = "network",
               .title = "Network",
               .space = wire_space,
               .colours = {ColourBy::state}}),
      track_(track) {}

bool NetworkPicture::has_stages() const { return !track_.network().by_stage.empty(); }

NetworkPlan NetworkPicture::plan() const {
  const NetworkReport& network = track_.network();
  NetworkPlan plan;
  plan.n = network.mapping.n;
  plan.stages = network.stages;
  plan.reorders = !network.operator_string.empty();
  // Eight to five, whatever is in it.
  plan.unit = 1;
  plan.unit = 1.6 * std::ldexp(1., plan.n) / plan.width();
  return plan;
}

std::array<double, 3> NetworkPicture::extent(const Looking&) const {
  if (!has_stages()) return {1, 1, 1};
  const NetworkPlan plan = this->plan();
  return {plan.width(), std::ldexp(1., plan.n), 1};
}

std::string NetworkPicture::caption() const {
  const NetworkReport& network = track_.network();
  if (!has_stages()) return network.launches > 1 ? counted(network.launches, "launch") : "a problem a thread";
  std::string words =
      counted(static_cast<unsigned long long>(network.stages), "stage") + ", " + counted(network.exchanges, "exchange");
  if (const int every = every_; every > 1) words += ", 1:" + std::to_string(every);
  return words;
}

std::uint64_t NetworkPicture::version(const PictureRequest&) const { return track_.version(); }

Selection NetworkPicture::at(Queue*, const PictureRequest& request, double x, double y) {
  if (!has_stages()) return {};
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  const NetworkPlan plan = this->plan();
  const double world = request.camera.x + (x - .5 * request.target.width) * request.camera.cells_per_pixel_x;
  int stage = 0;
  for (int j = 1; j <= plan.stages; ++j)
    if (world >= plan.column(j) + .3 * plan.unit) stage = j;
  std::uint32_t wire = place->y;
  if (plan.reorders && world >= plan.end(plan.stages) + .8 * plan.unit) wire = reversed_digits(wire, plan.n);
  return {wire_space, {wire, static_cast<std::uint32_t>(stage), 0}, 0, {}};
}

std::vector<Outline> NetworkPicture::marks(const Selected& selected, const Looking&) const {
  if (selected.selection.space != wire_space || !has_stages()) return {};
  const NetworkPlan plan = this->plan();
  const Index3 at = selected.selection.at;
  if (at.x >= 1u << plan.n || at.y > static_cast<std::uint32_t>(plan.stages)) return {};
  const int stage = static_cast<int>(at.y);
  return {{Outline::Kind::place,
           {plan.node(stage) - .04 * plan.unit, double(at.x), 0},
           {plan.end(stage), at.x + 1., 1},
           0,
           {}}};
}

std::vector<float> NetworkPicture::values(Queue&, Index3, Index3) { return {}; }

Legend NetworkPicture::legend(const PictureRequest&) const {
  return {
      "\u2212"
      "60 dB",
      "largest", false, .06f};
}

void NetworkPicture::paint(Queue& queue, const PictureRequest& request) {
  const auto pixels =
      static_cast<std::uint64_t>(request.target.width) * static_cast<std::uint64_t>(request.target.height);
  const PixelsOf place{request.camera, request.target.width, request.target.height};
  const NetworkPlan plan = this->plan();
  if (has_stages() && edges_.size() == 0) {
    std::vector<std::int32_t> all;
    for (const NetworkEdge& edge : track_.edges()) all.insert(all.end(), {edge.stage, edge.from, edge.to, edge.where});
    for (std::uint32_t e = 0; plan.reorders && e < 1u << plan.n; ++e)
      all.insert(all.end(), {plan.stages + 1, static_cast<std::int32_t>(e),
                             static_cast<std::int32_t>(reversed_digits(e, plan.n)), 0});
    edges_ = Buffer<std::int32_t>(queue.backend(), all.size());
    edges_.upload(queue, all);
  }
  const bool moved =
      lines_width_ != request.target.width || lines_height_ != request.target.height || lines_camera_ != request.camera;
  int every = 1;
  while (every / request.camera.cells_per_pixel_y < 3 && every < 1 << plan.n) every *= 2;
  every_ = every;
  if (moved || lines_.size() < pixels) {
    if (lines_.size() < pixels) lines_ = {}, lines_ = Buffer<std::uint32_t>(queue.backend(), pixels);
    zero_bytes(queue, lines_.data(), pixels * sizeof(std::uint32_t));
    if (edges_.size())
      launch("butterfly.edges", queue, row_shape(edges_.size() / 4),
             DrawEdges{plan, edges_.data(), edges_.size() / 4, every, place, lines_.data()});
    lines_camera_ = request.camera;
    lines_width_ = request.target.width;
    lines_height_ = request.target.height;
  }
  const auto staged = has_stages() ? track_.staged(queue, 0) : nullptr;
  if (staged) {
    const RowShape shape = track_.step_shape();
    const std::size_t count = staged->trace.steps.size() / shape.bytes;
    std::vector<float> shades(count);
    float top = 0;
    for (std::size_t i = 0; i < count; ++i) {
      shades[i] = magnitude(&staged->trace.steps[i * shape.bytes], shape);
      if (std::isfinite(shades[i])) top = std::max(top, shades[i]);
    }
    const bool decibels = shape.numpy[1] == 'c';
    for (float& one : shades) one = shade_of_magnitude(one, top, decibels);
    if (shades_.size() != count) shades_ = Buffer<float>(queue.backend(), count);
    shades_.upload(queue, shades);
  }
  launch("butterfly.colour", queue, PlaneTiles::shape(request.target),
         PaintNetwork{plan, lines_.data(), staged ? shades_.data() : nullptr, every, place, request.target,
                      request.palette});
}

// ---- rows of output
// ---------------------------------------------------------------------------------------------------
RowsPicture::RowsPicture(ButterflyTrack& track)
    : Picture({.shape = PictureInfo::Shape::plane,
               .key = "rows",
               .title = "Output rows",
               .space = Selection::cell,
               .colours = {ColourBy::state}}),
      track_(track) {}

std::array<double, 3> RowsPicture::extent(const Looking&) const {
  return {static_cast<double>(output_shape(track_.problem().settings).elements),
          static_cast<double>(track_.problem().settings.batch), 1};
}

std::string RowsPicture::caption() const {
  const auto& settings = track_.problem().settings;
  return short_count(settings.batch) + " \u00d7 " + short_count(output_shape(settings).elements);
}

std::uint64_t RowsPicture::version(const PictureRequest&) const { return track_.version(); }

Selection RowsPicture::at(Queue*, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  return {Selection::cell, *place, 0, {}};
}

std::vector<Outline> RowsPicture::marks(const Selected& selected, const Looking&) const {
  const Index3 at = selected.selection.at;
  const auto sides = extent();
  if (selected.selection.space != Selection::cell || at.x >= sides[0] || at.y >= sides[1]) return {};
  return {{Outline::Kind::place, {double(at.x), double(at.y), 0}, {at.x + 1., at.y + 1., 1}, 0, {}}};
}

ValueRange RowsPicture::range(const PictureRequest&) const { return {0, top_}; }

Legend RowsPicture::legend(const PictureRequest&) const {
  const bool decibels = output_shape(track_.problem().settings).numpy[1] == 'c';
  return {decibels ? "\u2212"
                     "60 dB"
                   : "0",
          "largest", false, .03f};
}

void RowsPicture::paint(Queue& queue, const PictureRequest& request) {
  const ButterflyTrack::Reading reading(track_, queue);
  const auto& settings = track_.problem().settings;
  const RowShape shape = output_shape(settings);
  const RowMagnitude rows{reading.output(),
                          row_values(shape, settings.algorithm == "sort"),
                          shape.numpy[1] == 'c' ? 1 : shape.bytes / 4,
                          shape.elements,
                          settings.batch,
                          track_.way().interleaved};
  if (most_.size() == 0) most_ = Buffer<std::uint32_t>(queue.backend(), 1);
  most_.zero(queue);
  launch("butterfly.most", queue, row_shape(rows.elements * rows.batch), MostOfRows{rows, most_.data()});
  const std::uint32_t bits = most_.download(queue)[0];
  float most = 0;
  std::memcpy(&most, &bits, sizeof most);
  top_ = most;
  launch("butterfly.colour", queue, PlaneTiles::shape(request.target),
         PaintRows{rows, request.values.empty() ? most : request.values.high, shape.numpy[1] == 'c', request.camera,
                   request.target, request.palette});
}

}  // namespace warploom
