#include "gpu/scenes/butterfly/pictures/pictures.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/butterfly/pictures/paint_boxes.h"
#include "gpu/scenes/butterfly/pictures/paint_network.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

/// Every k-th wire is drawn.
int drawn_every(const NetworkPlan& plan, const PictureRequest& request) {
  int every = 1;
  while (every / request.camera.cells_per_pixel_y < 3 && every < 1 << plan.n) every *= 2;
  return every;
}

}  // namespace

NetworkPicture::NetworkPicture(ButterflyTrack& track)
    : Picture({.shape = PictureInfo::Shape::plane,
               .key = "network",
               .title = "Network",
               .space = wire_space,
               .colours = {ColourBy::state},
               .focuses = true,
               .draws = true,
               .flows = true}),
      track_(track) {}

bool NetworkPicture::has_stages() const { return track_.tells_stages(); }

NetworkPlan NetworkPicture::plan() const {
  const NetworkReport& network = track_.network();
  NetworkPlan plan;
  plan.n = network.mapping.n;
  plan.stages = network.stages;
  plan.reorders = !network.operator_string.empty();
  plan.boxes = plan.n > 10;
  if (network.devices > 1 && !network.places.empty())
    for (const DigitPlace& digit : network.places.front()) plan.device_digits += digit.of == DigitPlace::Of::device;
  // Digits of a device change where one exchange brings all of a transform.
  for (std::size_t j = 0; plan.device_digits && plan.reorders && j < network.by_stage.size(); ++j)
    if (network.by_stage[j].values) plan.exchange = static_cast<int>(j) + 1;
  // As wide as panes are, whatever is in it.
  plan.unit = 1;
  plan.unit = 1.25 * plan.height() / plan.width();
  return plan;
}

std::array<double, 3> NetworkPicture::extent(const Looking&) const {
  if (!has_stages()) return {static_cast<double>(boxes_of_launches()), 1, 1};
  const NetworkPlan plan = this->plan();
  return {plan.width(), plan.height(), 1};
}

std::string NetworkPicture::caption() const {
  const NetworkReport& network = track_.network();
  if (network.devices > 1 && network.values.value_or(0)) return counted(*network.values, "value") + " over the link";
  if (!has_stages())
    return network.ring.bytes       ? ring_text()
           : network.launches > 1   ? std::to_string(network.launches) + " launches"
           : network.mapping.s == 0 ? "a problem a thread"
                                    : "one launch; wires are drawn up to n = 12";
  return counted(static_cast<unsigned long long>(network.stages), "stage") + ", " +
         (network.devices > 1 ? std::to_string(network.devices) + " devices" : counted(network.exchanges, "exchange"));
}

std::string NetworkPicture::scale(const PictureRequest& request) const {
  if (!has_stages() || plan().boxes) return {};
  const int every = drawn_every(plan(), request);
  return every > 1 ? "1:" + std::to_string(every) : std::string();
}

std::uint64_t NetworkPicture::version(const PictureRequest&) const { return track_.version(); }

Selection NetworkPicture::at(Queue*, const PictureRequest& request, double x, double y) {
  if (!has_stages()) return {};
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  const NetworkPlan plan = this->plan();
  const PixelsOf pixels(request);
  const double along = plan.place(pixels.world_x(x)), down = pixels.world_y(y) - plan.top();
  if (down >= plan.elements() || (down < 0 && !plan.boxes)) return {};
  // Of edges those that are nearer to their nodes are a stage's; of a box all is, and its first element is meant.
  const double own = std::max(0., along - (plan.boxes ? StageBox::left / 2 : .4));
  const int stage = std::clamp(static_cast<int>(own), 0, plan.stages);
  auto wire = static_cast<std::uint32_t>(std::max(0., down));
  if (plan.reorders && along >= plan.stages + 1 + NetworkPlan::reorder) wire = reversed_digits(wire, plan.n);
  return wire_selection(wire, stage, track_.network());
}

std::optional<std::array<double, 2>> NetworkPicture::drawn(const PictureRequest& request, double x, double y) const {
  if (!has_stages() || track_.is_spectrum(false)) return std::nullopt;
  const NetworkPlan plan = this->plan();
  const PixelsOf pixels(request);
  const double across = (plan.place(pixels.world_x(x)) - plan.begin()) / plan.strip(),
               along = (pixels.world_y(y) - plan.top()) / plan.elements();
  if (across < -.1 || across > 1.1 || along < 0 || along >= 1) return std::nullopt;
  const auto staged = track_.staged_last();
  const bool centred = !staged || staged->kinds[0] == NetworkValues::Bars::centred;
  // Keys have no sign: theirs run from the wires outwards, from -1 to 1.
  const bool keys = track_.problem().settings.algorithm == "sort";
  const double value = keys ? 1 - 2 * across : centred ? 2 * across - 1 : 1 - across;
  const bool folded = track_.problem().settings.algorithm == "dct";  // as drawable_input has it
  return std::array{!folded ? along : along < .5 ? 2 * along : 2 * (1 - along), std::clamp(value, -1., 1.)};
}

std::vector<double> NetworkPicture::drawable_input() const {
  const auto staged = track_.staged_last();
  if (!staged || track_.is_spectrum(false)) return {};
  if (track_.problem().settings.algorithm == "dct") {
    // Its rows are folded: even places forward, then odd ones backward.
    std::vector<double> unfolded(staged->trace.elements);
    for (std::size_t i = 0; i < unfolded.size(); ++i) unfolded[i] = staged->bars[i / 2];
    return unfolded;
  }
  std::vector<double> values(staged->bars.begin(),
                             staged->bars.begin() + static_cast<std::ptrdiff_t>(staged->trace.elements));
  // Keys run from -1 to 1.
  if (track_.problem().settings.algorithm == "sort")
    for (double& value : values) value = 2 * value - 1;
  return values;
}

std::vector<Outline> NetworkPicture::marks(const Selected& selected, const Looking&) const {
  if (selected.selection.space != wire_space || !has_stages()) return {};
  const NetworkPlan plan = this->plan();
  const Index3 at = selected.selection.at;
  const auto picked = stage_of_wire(at, track_.network());
  if (at.x >= plan.elements() || (!picked && !is_of_a_network(at))) return {};
  const double y = plan.top() + at.x;
  if (!picked) return {{Outline::Kind::word, {plan.node(0), y, 0}, {plan.node(0), y + 1, 1}, 0, "no such stage here"}};
  const int stage = *picked;
  const double left =
      plan.boxes && stage ? plan.x_of(stage + StageBox::left) : plan.node(stage) - (stage ? .06 * plan.unit : 0);
  return {{Outline::Kind::place, {left, y, 0}, {plan.end(stage), y + 1, 1}, 0, {}}};
}

Legend NetworkPicture::legend(const PictureRequest&) const {
  if (!has_stages()) return {};
  const bool decibels = track_.step_shape().numpy[1] == 'c';
  return {decibels ? "-60 dB" : "0", "largest", false, .06f};
}

std::vector<PictureLabel> NetworkPicture::labels(const PictureRequest& request) const {
  if (!has_stages()) return launch_labels();
  const NetworkPlan plan = this->plan();
  // Beside the network there is nothing: words may reach so far over its ends, in stages.
  const double margin = std::clamp(.05 * request.target.width, 16., 40.) * request.camera.cells_per_pixel_x / plan.unit;
  std::vector<PictureLabel> all = axis_labels(plan, margin);
  const NetworkReport& network = track_.network();
  if (!plan.boxes || network.by_stage.empty()) return all;
  // A table over the stages: its rows, and what they are at the left.
  const auto line = [&](double from, double to, int number, int row, std::vector<std::string> words) {
    const double y = (.05 + .2 * number) * plan.top();
    all.push_back({{plan.x_of(from), y}, {plan.x_of(to), y + .19 * plan.top()}, std::move(words), row});
  };
  constexpr int after_axes = 10;
  const std::vector<std::string> titles[] = {
      {"data by", "by"}, {"barriers", "sync"}, {"bank conflicts", "conflicts", "banks"}};
  for (int i = 0; i < 3; ++i) {
    line(plan.begin() - margin, NetworkPlan::wires, i, after_axes + 3 + i, titles[i]);
    all.back().at_left = true;
  }
  const int first = first_exchange();
  for (int j = 1; j <= plan.stages; ++j) {
    const StageReport& stage = network.by_stage[static_cast<std::size_t>(j - 1)];
    const Wavefronts& read = stage.cost.read;
    const auto cell = [&](int number, std::vector<std::string> words) {
      line(j + StageBox::left, j + 1, number, after_axes + number, std::move(words));
    };
    std::size_t farthest = 0;
    for (std::size_t k = 0; k < stage.edges.size(); ++k)
      if (stage.edges[k]) farthest = k;
    cell(0, {words_of_edges[farthest].paths, words_of_edges[farthest].brief});
    const int of_general = read.ideal == 0 ? 0 : j == first ? 1 : 2;
    cell(1, {std::to_string(network.tuned ? network.tuned->barriers_of(j) : of_general)});
    cell(2, {read.taken > read.ideal ? std::to_string(read.taken / read.ideal) + "-way" : "none"});
  }
  return all;
}

/// Below a network: its stages by number, and what each pairs: digits of an FFT, else elements so far apart. `margin`:
/// how many stages words may reach over its ends.
std::vector<PictureLabel> NetworkPicture::axis_labels(const NetworkPlan& plan, double margin) const {
  using P = NetworkPlan;
  std::vector<PictureLabel> all;
  const double below = plan.top() + plan.elements();
  const auto under = [&](double from, double to, int line, int row, std::vector<std::string> words) {
    all.push_back({{plan.x_of(from), below}, {plan.x_of(to), below}, std::move(words), row, line, false});
  };
  enum Row { numbers, input, output, spectrum, paired, paired_title, order, packing, device = 40 };
  // Of real rows the network is that of their packed pairs: the split comes with the store.
  const std::string& algorithm = track_.problem().settings.algorithm;
  const bool packed = algorithm == "real_fft" || algorithm == "dct";
  const double behind = plan.finish() + P::gap;
  under(plan.begin() - margin, P::wires, 1, input, {"in"});
  under(behind - P::gap, behind + plan.strip() + margin, 1, output, {"out"});
  if (track_.is_spectrum(true) && !packed)
    under(behind - .1, behind + plan.strip() + margin, 2, spectrum, {"spectrum"});
  if (plan.device_digits)
    for (int k = 0; k < 1 << plan.device_digits; ++k) {
      const std::string number = std::to_string(k);
      const double top = plan.top() + k * plan.band();
      all.push_back({{plan.node(plan.exchange), top},
                     {plan.node(plan.exchange + 1), top + plan.band()},
                     {"device " + number, number},
                     device + k,
                     0,
                     true});
    }
  const NetworkReport& network = track_.network();
  const std::vector<int>& done = network.digits_paired;
  under(plan.begin() - margin, P::wires, 2, paired_title,
        done.empty() ? std::vector<std::string>{"distance", "dist."} : std::vector<std::string>{"digits"});
  for (int j = 1; j <= plan.stages; ++j) {
    under(j, j + 1, 1, numbers, {std::to_string(j)});
    const auto at = static_cast<std::size_t>(j);
    if (done.empty()) {
      under(j - .08, j + 1.08, 2, paired, {std::to_string(track_.distances()[at])});
      continue;
    }
    std::string digits = "t" + std::to_string(plan.n - done[at - 1]);
    if (const std::string low = "t" + std::to_string(plan.n - done[at] + 1); low != digits)
      digits.append("-").append(low);
    under(j - .08, j + 1.08, 2, paired, {digits});
  }
  if (plan.reorders) under(plan.stages + 1, plan.finish() - .1, 2, order, {"bit reversal", "reversal"});
  if (packed)
    under(plan.begin(), plan.finish() + plan.strip(), 3, packing,
          {"packed: two reals a wire; they are separated after the last stage", "packed: two reals a wire",
           "two reals a wire"});
  return all;
}

/// Barriers stand between a write and its reads, and before each write but the first.
int NetworkPicture::first_exchange() const {
  int j = 0;
  for (const StageReport& stage : track_.network().by_stage) {
    ++j;
    if (stage.cost.read.ideal) return j;
  }
  return 0;
}

void NetworkPicture::draw_lines(Queue& queue, const PictureRequest& request, const std::vector<NetworkEdge>& edges,
                                int every, Buffer<std::uint32_t>& to) {
  const auto pixels =
      static_cast<std::uint64_t>(request.target.width) * static_cast<std::uint64_t>(request.target.height);
  if (to.size() < pixels) to = {}, to = Buffer<std::uint32_t>(queue.backend(), pixels);
  zero_bytes(queue, to.data(), pixels * sizeof(std::uint32_t));
  if (edges.empty()) return;
  Buffer<NetworkEdge> list;
  list.assign(queue, edges);
  launch("butterfly.edges", queue, row_shape(edges.size()),
         DrawEdges{plan(), list.data(), edges.size(), every, PixelsOf(request), to.data()});
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
  // Of a stage where values come from and go to: what it does not make passes it.
  const auto each_way = [&](int j, const auto& body) {
    std::vector<bool> made(elements);
    for (const auto* edge : of_stage[static_cast<std::size_t>(j)]) {
      body(edge->from, edge->to);
      made[static_cast<std::size_t>(edge->to)] = true;
    }
    for (std::size_t e = 0; e < elements; ++e)
      if (!made[e]) body(static_cast<std::int32_t>(e), static_cast<std::int32_t>(e));
  };
  for (int j = stage; j >= 1; --j)
    each_way(j, [&](std::int32_t from, std::int32_t to) { at(j - 1, from) |= at(j, to); });
  for (int j = stage + 1; j <= plan.stages; ++j)
    each_way(j, [&](std::int32_t from, std::int32_t to) { at(j, to) |= at(j - 1, from); });
  return cone;
}

}  // namespace

bool NetworkPicture::upload_values(Queue& queue) {
  const auto staged = track_.staged(queue, track_.problem_shown());
  if (!staged || staged == uploaded_) return staged != nullptr;
  shades_.assign(queue, staged->shades);
  bars_.assign(queue, staged->bars);
  uploaded_ = staged;
  return true;
}

void NetworkPicture::paint(Queue& queue, const PictureRequest& request) {
  if (!has_stages()) {
    paint_pixels(
        queue, request,
        PaintLaunches{boxes_of_launches(), track_.network().ring.bytes != 0, PixelsOf(request), request.palette});
    return;
  }
  const NetworkPlan plan = this->plan();
  NetworkValues values{plan, nullptr, nullptr, {}, request.palette};
  if (upload_values(queue)) {
    values.shades = shades_.data();
    values.bars = bars_.data();
    std::copy(uploaded_->kinds.begin(), uploaded_->kinds.end(), values.kinds);
  }
  const bool focused = request.focus.on && request.focus.at.x < plan.elements() &&
                       stage_of_wire(request.focus.at, track_.network()).has_value();
  if (plan.boxes)
    paint_boxes(queue, request, values, focused);
  else
    paint_wires(queue, request, values, focused);
  drawn_ = PixelsOf(request);
}

std::vector<std::uint8_t> NetworkPicture::make_cone(Queue& queue, const PictureRequest& request,
                                                    const NetworkPlan& plan) {
  auto cone = cone_of(wires_, plan, request.focus.at.x, stage_of_wire(request.focus.at, track_.network()).value_or(0));
  cone_.assign(queue, cone);
  focus_ = request.focus;
  return cone;
}

void NetworkPicture::paint_wires(Queue& queue, const PictureRequest& request, const NetworkValues& values,
                                 bool focused) {
  const NetworkPlan& plan = values.plan;
  if (wires_.empty()) {
    wires_ = track_.edges();
    for (std::uint32_t e = 0; plan.reorders && e < 1u << plan.n; ++e)
      wires_.push_back({plan.stages + 1, 0, static_cast<std::int32_t>(e),
                        static_cast<std::int32_t>(reversed_digits(e, plan.n)), 0, 0});
  }
  const bool moved = drawn_ != PixelsOf(request) || lines_.size() == 0;
  if (moved) focus_ = {};  // the cone was drawn elsewhere
  const int every = drawn_every(plan, request);
  if (moved) draw_lines(queue, request, wires_, every, lines_);
  if (focused && (moved || focus_ != request.focus || cone_.size() == 0)) {
    const std::vector<std::uint8_t> cone = make_cone(queue, request, plan);
    const std::size_t elements = std::size_t{1} << plan.n;
    const auto in_cone = [&](int j, std::int32_t e) {
      return cone[static_cast<std::size_t>(j) * elements + static_cast<std::size_t>(e)] != 0;
    };
    std::vector<NetworkEdge> edges;
    for (const NetworkEdge& edge : wires_)
      if (in_cone(edge.stage - 1, edge.from) && (edge.stage > plan.stages || in_cone(edge.stage, edge.to)))
        edges.push_back(edge);
    draw_lines(queue, request, edges, 1, in_cone_);  // all of them, also where not every wire is drawn
  }
  paint_pixels(
      queue, request,
      PaintNetwork{values, lines_.data(), focused ? in_cone_.data() : nullptr, cone_.data(), every, PixelsOf(request)});
}

void NetworkPicture::paint_boxes(Queue& queue, const PictureRequest& request, const NetworkValues& values,
                                 bool focused) {
  if (wires_.empty()) wires_ = track_.edges();
  if (boxes_.size() == 0) {
    std::vector<StageBox> boxes(static_cast<std::size_t>(values.plan.stages));
    for (StageBox& box : boxes) box.conflicts = 1;
    for (const NetworkEdge& edge : wires_) ++boxes[static_cast<std::size_t>(edge.stage - 1)].edges[edge.where];
    for (StageBox& box : boxes) {
      float all = 0;
      for (const float edges : box.edges) all += edges;
      for (float& edges : box.edges) edges /= std::max(1.f, all);
    }
    // Of several launches none are known.
    const auto& by_stage = track_.network().by_stage;
    for (std::size_t j = 0; j < by_stage.size(); ++j) {
      Wavefronts both = by_stage[j].cost.write;
      both += by_stage[j].cost.read;
      if (both.ideal) boxes[j].conflicts = static_cast<float>(both.taken) / static_cast<float>(both.ideal);
    }
    boxes_.assign(queue, boxes);
  }
  if (focused && (focus_ != request.focus || cone_.size() == 0)) make_cone(queue, request, values.plan);
  paint_pixels(queue, request, PaintBoxes{values, boxes_.data(), focused ? cone_.data() : nullptr, PixelsOf(request)});
}

}  // namespace warploom
