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

constexpr const char* sixty_below = "-60 dB";

RowValues row_values(const RowShape& shape, bool keys) {
  if (shape.numpy[1] == 'c') return RowValues::complex;
  if (shape.numpy[1] == 'f') return RowValues::real;
  return keys ? RowValues::key : RowValues::whole;
}

/// Rows so high that the picture is half as high as wide, within reason.
double row_height(const ButterflySettings& settings) {
  const double wide = static_cast<double>(output_shape(settings).elements), high = static_cast<double>(settings.batch);
  return std::clamp(.5 * wide / high, 1. / 16, 64.);
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
               .colours = {ColourBy::state},
               .focuses = true}),
      track_(track) {}

bool NetworkPicture::has_stages() const { return track_.tells_stages(); }

NetworkPlan NetworkPicture::plan() const {
  const NetworkReport& network = track_.network();
  NetworkPlan plan;
  plan.n = network.mapping.n;
  plan.stages = network.stages;
  plan.reorders = !network.operator_string.empty();
  // As wide as panes are, whatever is in it.
  plan.unit = 1;
  plan.unit = 1.2 * std::ldexp(1., plan.n) / plan.width();
  return plan;
}

std::array<double, 3> NetworkPicture::extent(const Looking&) const {
  if (!has_stages()) return {static_cast<double>(track_.network().launches), 1, 1};
  const NetworkPlan plan = this->plan();
  return {plan.width(), std::ldexp(1., plan.n), 1};
}

std::string NetworkPicture::caption() const {
  const NetworkReport& network = track_.network();
  if (!has_stages())
    return network.launches > 1 ? std::to_string(network.launches) + " launches" : "a problem a thread";
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
  const double along =
      plan.place(request.camera.x + (x - .5 * request.target.width) * request.camera.cells_per_pixel_x);
  // Of edges those that are nearer to their nodes are a stage's.
  const int stage = std::clamp(static_cast<int>(along - .4), 0, plan.stages);
  std::uint32_t wire = place->y;
  if (plan.reorders && along >= plan.stages + 1 + NetworkPlan::reorder) wire = reversed_digits(wire, plan.n);
  return {wire_space, {wire, static_cast<std::uint32_t>(stage), static_cast<std::uint32_t>(plan.stages)}, 0, {}};
}

std::vector<Outline> NetworkPicture::marks(const Selected& selected, const Looking&) const {
  if (selected.selection.space != wire_space || !has_stages()) return {};
  const NetworkPlan plan = this->plan();
  const Index3 at = selected.selection.at;
  const int stage = stage_of_wire(at, plan.stages);
  if (at.x >= 1u << plan.n || stage > plan.stages) return {};
  return {{Outline::Kind::place,
           {plan.node(stage) - (stage ? .06 * plan.unit : 0), double(at.x), 0},
           {plan.end(stage), at.x + 1., 1},
           0,
           {}}};
}

Legend NetworkPicture::legend(const PictureRequest&) const {
  if (!has_stages()) return {};
  const bool decibels = track_.step_shape().numpy[1] == 'c';
  return {decibels ? sixty_below : "0", "largest", false, .06f};
}

void NetworkPicture::draw_lines(Queue& queue, const PictureRequest& request, const std::vector<NetworkEdge>& edges,
                                int every, Buffer<std::uint32_t>& to) {
  const auto pixels =
      static_cast<std::uint64_t>(request.target.width) * static_cast<std::uint64_t>(request.target.height);
  if (to.size() < pixels) to = {}, to = Buffer<std::uint32_t>(queue.backend(), pixels);
  zero_bytes(queue, to.data(), pixels * sizeof(std::uint32_t));
  if (edges.empty()) return;
  Buffer<NetworkEdge> list(queue.backend(), edges.size());
  list.upload(queue, edges);
  launch("butterfly.edges", queue, row_shape(edges.size()),
         DrawEdges{plan(),
                   list.data(),
                   edges.size(),
                   every,
                   {request.camera, request.target.width, request.target.height},
                   to.data()});
  queue.wait();  // the list goes
}

namespace {

/// What an element after a stage hangs on, and what hangs on it: (stages + 1, N).
std::vector<std::uint8_t> cone_of(const std::vector<NetworkEdge>& edges, const NetworkPlan& plan, std::uint32_t element,
                                  int stage) {
  const std::size_t elements = std::size_t{1} << plan.n;
  std::vector<std::uint8_t> cone((static_cast<std::size_t>(plan.stages) + 1) * elements);
  const auto at = [&](int j, std::int32_t e) -> std::uint8_t& {
    return cone[static_cast<std::size_t>(j) * elements + static_cast<std::size_t>(e)];
  };
  std::vector<std::vector<const NetworkEdge*>> of_stage(static_cast<std::size_t>(plan.stages) + 1);
  for (const NetworkEdge& edge : edges)
    if (edge.stage <= plan.stages) of_stage[static_cast<std::size_t>(edge.stage)].push_back(&edge);
  at(stage, static_cast<std::int32_t>(element)) = 1;
  const auto is_made = [&](int j) {
    std::vector<bool> made(elements);
    for (const auto* edge : of_stage[static_cast<std::size_t>(j)]) made[static_cast<std::size_t>(edge->to)] = true;
    return made;
  };
  // What a stage does not make passes it.
  for (int j = stage; j >= 1; --j) {
    const auto made = is_made(j);
    for (const auto* edge : of_stage[static_cast<std::size_t>(j)]) at(j - 1, edge->from) |= at(j, edge->to);
    for (std::size_t e = 0; e < elements; ++e)
      if (!made[e]) at(j - 1, static_cast<std::int32_t>(e)) |= at(j, static_cast<std::int32_t>(e));
  }
  for (int j = stage + 1; j <= plan.stages; ++j) {
    const auto made = is_made(j);
    for (const auto* edge : of_stage[static_cast<std::size_t>(j)]) at(j, edge->to) |= at(j - 1, edge->from);
    for (std::size_t e = 0; e < elements; ++e)
      if (!made[e]) at(j, static_cast<std::int32_t>(e)) |= at(j - 1, static_cast<std::int32_t>(e));
  }
  return cone;
}

}  // namespace

void NetworkPicture::paint(Queue& queue, const PictureRequest& request) {
  const PixelsOf place{request.camera, request.target.width, request.target.height};
  if (!has_stages()) {
    launch(
        "butterfly.colour", queue, PlaneTiles::shape(request.target),
        PaintLaunches{static_cast<std::uint32_t>(track_.network().launches), place, request.target, request.palette});
    return;
  }
  const NetworkPlan plan = this->plan();
  if (wires_.empty()) {
    wires_ = track_.edges();
    for (std::uint32_t e = 0; plan.reorders && e < 1u << plan.n; ++e)
      wires_.push_back({plan.stages + 1, 0, static_cast<std::int32_t>(e),
                        static_cast<std::int32_t>(reversed_digits(e, plan.n)), 0, 0});
  }
  const bool moved = lines_width_ != request.target.width || lines_height_ != request.target.height ||
                     lines_camera_ != request.camera || lines_.size() == 0;
  int every = 1;
  while (every / request.camera.cells_per_pixel_y < 3 && every < 1 << plan.n) every *= 2;
  every_ = every;
  if (moved) draw_lines(queue, request, wires_, every, lines_);
  const int stage = stage_of_wire(request.focus.at, plan.stages);
  const bool focused = request.focus.on && request.focus.at.x < 1u << plan.n && stage <= plan.stages;
  if (focused && (moved || focus_ != request.focus || cone_.size() == 0)) {
    const auto cone = cone_of(wires_, plan, request.focus.at.x, stage);
    const std::size_t elements = std::size_t{1} << plan.n;
    const auto in_cone = [&](int j, std::int32_t e) {
      return cone[static_cast<std::size_t>(j) * elements + static_cast<std::size_t>(e)] != 0;
    };
    std::vector<NetworkEdge> edges;
    for (const NetworkEdge& edge : wires_)
      if (in_cone(edge.stage - 1, edge.from) && (edge.stage > plan.stages || in_cone(edge.stage, edge.to)))
        edges.push_back(edge);
    draw_lines(queue, request, edges, every, in_cone_);
    if (cone_.size() != cone.size()) cone_ = Buffer<std::uint8_t>(queue.backend(), cone.size());
    cone_.upload(queue, cone);
    focus_ = request.focus;
  }
  lines_camera_ = request.camera;
  lines_width_ = request.target.width;
  lines_height_ = request.target.height;
  const auto staged = track_.staged(queue, track_.problem_shown());
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
         PaintNetwork{plan, lines_.data(), focused ? in_cone_.data() : nullptr, cone_.data(),
                      staged ? shades_.data() : nullptr, every, place, request.target, request.palette});
}

// ---- rows of output
// ---------------------------------------------------------------------------------------------------
RowsPicture::RowsPicture(ButterflyTrack& track)
    : Picture({.shape = PictureInfo::Shape::plane,
               .key = "rows",
               .title = "Output rows",
               .space = output_space,
               .tall = row_height(track.problem().settings),
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
  return {output_space, *place, 0, {}};
}

std::vector<Outline> RowsPicture::marks(const Selected& selected, const Looking&) const {
  const Index3 at = selected.selection.at;
  const auto sides = extent();
  if (selected.selection.space != output_space || at.x >= sides[0] || at.y >= sides[1]) return {};
  return {{Outline::Kind::place, {double(at.x), double(at.y), 0}, {at.x + 1., at.y + 1., 1}, 0, {}}};
}

ValueRange RowsPicture::range(const PictureRequest&) const { return {0, top_}; }

Legend RowsPicture::legend(const PictureRequest&) const {
  const bool decibels = output_shape(track_.problem().settings).numpy[1] == 'c';
  return {decibels ? sixty_below : "0", "largest", false, .03f};
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
