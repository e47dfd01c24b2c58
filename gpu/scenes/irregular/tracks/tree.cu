#include "gpu/scenes/irregular/tracks/tree.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/sort.h"
#include "gpu/core/watched_work.h"
#include "gpu/scenes/irregular/pictures/tree_pictures.h"
#include "gpu/scenes/irregular/tree/points_to_boxes.h"
#include "gpu/tracks/sum_over.h"

namespace warploom {

TreeTrack::TreeTrack(Queue& queue, std::shared_ptr<const TreeProblem> problem, const IrregularSettings& settings,
                     const TreeKind& kind)
    : problem_(std::move(problem)),
      by_levels_(kind.by_levels),
      compact_every_(kind.info.intra == "scan" ? settings.compact_every : 1),
      strategy_(kind.make(queue.backend(), settings.compact_every)),
      states_(queue, 1),
      scratch_(queue.backend()) {
  offer<IrregularFacet>(*this);
  offer<Approximate>(*this);
  offer<Counted>(*this);
  offer<Compared>(*this);
  offer<Described>(*this);
  offer<Curves>(*this);
  offer<Numbers>(*this);
  offer<RateFacet>(*this);
  offer<StagesFacet>(*this);
  const Backend backend = queue.backend();
  const std::uint64_t points = count();
  info_ = kind.info;
  kernel_ = "tree.build";
  extent_ = {static_cast<std::uint32_t>(points), 1, 1};
  cells_ = points;
  const std::uint64_t coordinates = problem_->points.moving.size();
  stages_.push_back({"tree.points", {row_shape(coordinates)}, 8 * coordinates});
  output_stage_ = stages_.size();
  stages_.push_back({kernel_, {row_shape(by_levels_ ? 1 : points)}, 0});
  moving_ = Buffer<std::uint32_t>(queue, problem_->points.moving);
  points_ = Buffer<std::uint32_t>(backend, coordinates);
  words_ = Buffer<std::uint64_t>(backend, points);
  for (State& state : trees_) {
    state.codes = Buffer<std::uint32_t>(backend, points);
    state.order = Buffer<std::uint32_t>(backend, points);
    state.nodes = Buffer<PlaceRange>(backend, points);
    state.boxes = Buffer<std::uint64_t>(backend, points);
  }
  own_pictures_ = tree_pictures(*this);
  for (const auto& picture : own_pictures_) pictures_.push_back(picture.get());
}

TreeTrack::~TreeTrack() = default;

template <int dimension>
void TreeTrack::make_of(Queue& queue, State& to) {
  const std::uint64_t points = count(), places = points - 1;
  TimedSpan total(queue, "tree.total", 0);
  launch_items("tree.codes", queue, points, CodePoints<dimension>{points_.data(), words_.data()});
  {
    TimedSpan sort(queue, "tree.sort", 0);
    sort_words("tree.sort", queue, words_.data(), points, code_bits, scratch_);
    launch_items("tree.sort", queue, points, PartWords{words_.data(), to.codes.data(), to.order.data()});
    sort.finish();
  }
  const TreeKeys keys(to.codes.data(), points);
  const TreeNodes nodes{to.nodes.data(), keys.count};
  {
    TimedSpan build(queue, "tree.build", 0);
    zero_bytes(queue, to.nodes.data(), places * sizeof(PlaceRange));
    to.report = std::make_shared<const TreeReport>([&] {
      TreeReport report = strategy_->build(queue, keys, nodes, problem_->leaf, to.lists);
      Counts& counts = report.counts;
      counts.launched = counts.launched_stated = counts.blocks * 256;
      counts.useful_stated = counts.useful;
      counts.warps_idle = counts.launched / warp_size - counts.warps_full - counts.warps_partial;
      return report;
    }());
    build.finish();
  }
  TimedSpan fit(queue, "tree.fit", 0);
  zero_bytes(queue, to.boxes.data(), places * sizeof(std::uint64_t));
  if (places)
    launch_items("tree.fit", queue, places, FitBoxes<dimension>{keys, nodes, problem_->leaf, to.boxes.data()});
  fit.finish();
  total.finish();
}

void TreeTrack::make(Queue& queue, std::uint64_t time) {
  const StatePair::Writer writer(states_, queue, false);
  State& to = trees_[1 - front_];
  const PartOfWork part(0, 1, 100);  // about so many launches
  launch_items("tree.points", queue, points_.size(),
               PlacePoints{moving_.data(), static_cast<std::uint32_t>(time), problem_->points.bits, points_.data()});
  if (dimension() == 2)
    make_of<2>(queue, to);
  else
    make_of<3>(queue, to);
  back_time_ = time;
}

void TreeTrack::start(Queue& queue) { make(queue, 0); }

void TreeTrack::poison(Queue& queue) {
  const StatePair::Writer writer(states_, queue, false);
  State& state = trees_[1 - front_];
  for (Buffer<std::uint32_t>* part : {&state.codes, &state.order}) fill_with_ones(queue, part->data(), part->bytes());
  fill_with_ones(queue, state.nodes.data(), state.nodes.bytes());
  fill_with_ones(queue, state.boxes.data(), state.boxes.bytes());
}

void TreeTrack::adopt(Queue& queue, const Track& from) { make(queue, dynamic_cast<const TreeTrack&>(from).time_); }

void TreeTrack::step(Queue& queue) { make(queue, time_ + 1); }

void TreeTrack::publish(Queue&) {
  states_.flip();
  front_ = 1 - front_;
  time_ = back_time_;
  std::uint64_t bytes = moving_.bytes() + points_.bytes() + words_.bytes() + scratch_.size() + strategy_->bytes();
  for (const State& state : trees_)
    bytes +=
        state.codes.bytes() + state.order.bytes() + state.nodes.bytes() + state.boxes.bytes() + state.lists.bytes();
  state_bytes_ = bytes;
  const std::lock_guard lock(mutex_);
  report_ = trees_[front_].report;
}

std::optional<Seal> TreeTrack::seal(Queue& queue) {
  const State& state = trees_[front_];
  Seal seal;
  if (count() < 2) return seal;
  seal.hash =
      sum_over("tree.seal", queue, count() - 1, HashNodes{state.nodes.data(), state.boxes.data(), dimension()}, sums_);
  seal.sum = sum_over("tree.seal", queue, count() - 1, CountNodes{state.nodes.data()}, sums_);
  return seal;
}

std::optional<Cell> TreeTrack::first_difference(Queue& queue, const Track& other) {
  const auto& right = dynamic_cast<const TreeTrack&>(other);
  const State &own = trees_[front_], &theirs = right.trees_[right.front_];
  const auto nodes = own.nodes.download(queue), right_nodes = theirs.nodes.download(queue);
  const auto boxes = own.boxes.download(queue), right_boxes = theirs.boxes.download(queue);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    if (!(nodes[i] == right_nodes[i]) || boxes[i] != right_boxes[i]) return Cell{static_cast<std::uint32_t>(i), 0, 0};
  return std::nullopt;
}

IrregularResults TreeTrack::results(Queue& queue) {
  const State& state = trees_[front_];
  auto nodes = state.nodes.download(queue);
  nodes.pop_back();
  const TreeVisits found = tree_visits(state.codes.download(queue), std::move(nodes));
  return {{"points", count()},
          {"split_nodes", found.split_nodes},
          {"levels", static_cast<std::uint64_t>(found.levels)},
          {"visits", found.visits}};
}

std::vector<std::pair<std::string, double>> TreeTrack::numbers(Queue&) {
  const auto done = report();
  if (!done) return {};
  const double worst = by_levels_ ? 2 * static_cast<double>(count()) : static_cast<double>(count() - 1);
  return {{"slots", static_cast<double>(done->slots)},
          {"storage_used", static_cast<double>(done->storage_used)},
          {"storage_worst", worst},
          {"launches", static_cast<double>(done->launches)}};
}

std::vector<DumpArray> TreeTrack::dumps(Queue& queue) {
  const std::uint64_t points = count(), axes = static_cast<std::uint64_t>(dimension());
  check_dump(8. * static_cast<double>(axes) * static_cast<double>(points));
  const ScopedUntimed telling(queue);
  const State& state = trees_[front_];
  // Those of the finished step: another may have been begun and given up.
  launch_items("tree.points", queue, points_.size(),
               PlacePoints{moving_.data(), static_cast<std::uint32_t>(time_), problem_->points.bits, points_.data()});
  const auto nodes = state.nodes.download(queue);
  const auto boxes = state.boxes.download(queue);
  std::vector<std::int32_t> rows;
  std::vector<std::uint32_t> corners;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    if (!nodes[i].there()) continue;
    for (const std::uint64_t one : {std::uint64_t{nodes[i].first}, std::uint64_t{nodes[i].last}, std::uint64_t{i}})
      rows.push_back(static_cast<std::int32_t>(one));
    for (int k = 0; k < 2 * dimension(); ++k) corners.push_back(PackedBox::number(boxes[i], k, dimension()));
  }
  const std::uint64_t split_nodes = rows.size() / 3;
  std::vector<DumpArray> all;
  all.push_back({"points", "<u4", "uint32", {points, axes}, array_bytes(points_.download(queue)), "where points are"});
  all.push_back({"order",
                 "<u4",
                 "uint32",
                 {points},
                 array_bytes(state.order.download(queue)),
                 "points in the order of their Morton codes"});
  all.push_back({"nodes",
                 "<i4",
                 "int32",
                 {split_nodes, 3},
                 array_bytes(rows),
                 "split nodes, in any order: first and last point of that order, last one of the first half"});
  all.push_back({"boxes",
                 "<u4",
                 "uint32",
                 {split_nodes, 2 * axes},
                 array_bytes(corners),
                 "their least coordinates, then their largest ones"});
  if (!by_levels_) return all;
  std::vector<std::int64_t> levels;
  for (const TreeLevel& level : state.report->levels)
    for (const std::uint64_t one : {level.slots, level.nodes, level.made[0], level.made[1], level.made[2]})
      levels.push_back(static_cast<std::int64_t>(one));
  all.push_back({"levels",
                 "<i8",
                 "int64",
                 {state.report->levels.size(), 5},
                 array_bytes(levels),
                 "slots and nodes of each level; of these made no node, one and two"});
  return all;
}

Verdict TreeTrack::verdict(Queue& queue, const Track&) {
  Verdict verdict{"oracle", "bitwise", 0, 0, 0, std::nullopt};
  std::uint64_t wrong = 0;
  if (count() <= TreeProblem::most_answered) {
    const auto right = problem_->answer(time_, [&] { return queue.cancel && *queue.cancel; });
    const State& state = trees_[front_];
    const auto order = state.order.download(queue);
    const auto nodes = state.nodes.download(queue);
    const auto boxes = state.boxes.download(queue);
    for (std::size_t i = 0; i < order.size(); ++i) wrong += order[i] != right->order[i];
    for (std::size_t i = 0; i < right->nodes.size(); ++i)
      wrong += !(nodes[i] == right->nodes[i]) || boxes[i] != right->boxes[i];
    verdict.rows = right->split_nodes;
  } else {
    wrong = wrong_of_some(queue, verdict.rows);
  }
  verdict.error = static_cast<double>(wrong);
  return verdict;
}

std::uint64_t TreeTrack::wrong_of_some(Queue& queue, std::uint64_t& judged) const {
  const State& state = trees_[front_];
  const auto codes = state.codes.download(queue), order = state.order.download(queue);
  const auto nodes = state.nodes.download(queue);
  const auto boxes = state.boxes.download(queue);
  const GridPoints& points = problem_->points;
  const auto axes = static_cast<std::size_t>(points.dimension);
  const TreeKeys keys(codes.data(), codes.size());
  std::uint64_t wrong = 0;
  for (std::uint64_t k = 0; k < TreeProblem::most_answered; ++k) {
    if (k % 4096 == 0 && queue.cancel && *queue.cancel) throw Cancelled();
    const auto i = static_cast<std::uint32_t>(key_hash(time_, k) % (count() - 1)), j = i + 1;
    // Its code is that of its point, and not above the next, of equal ones in their order.
    std::uint32_t code = 0;
    for (std::size_t a = 0; a < axes; ++a) {
      const std::uint32_t at =
          place_at(points.moving[order[i] * axes + a], static_cast<std::uint32_t>(time_), points.bits);
      for (int b = 0; b < points.bits; ++b) code |= (at >> b & 1) << (static_cast<std::size_t>(b) * axes + a);
    }
    if (code != codes[i] || codes[i] > codes[j] || (codes[i] == codes[j] && order[i] >= order[j])) {
      ++wrong;
      continue;
    }
    // The node that is split here is as wide as all that share as much as the two.
    const int shared = keys.common(i, j);
    std::uint32_t first = i, last = j;
    const std::uint32_t end = keys.count - 1;
    const auto widens = [&](std::uint32_t from, std::uint32_t to) { return keys.common(from, to) >= shared; };
    std::uint32_t step = 1;  // most nodes are small
    while (step <= first && widens(i, first - step)) first -= step, step *= 2;
    for (; step; step /= 2)
      if (step <= first && widens(i, first - step)) first -= step;
    for (step = 1; step <= end - last && widens(i, last + step); step *= 2) last += step;
    for (; step; step /= 2)
      if (step <= end - last && widens(i, last + step)) last += step;
    const PlaceRange right{first, last};
    if (right.count() <= problem_->leaf) {
      wrong += nodes[i].there();
      continue;
    }
    wrong += !(nodes[i] == right);
    ++judged;
    constexpr std::uint32_t most_looked_at = 256;
    if (right.count() > most_looked_at) continue;
    std::uint64_t box = PackedBox::of_code(codes[first], points.dimension);
    for (std::uint32_t at = first; at <= last; ++at)
      box = PackedBox::around(box, PackedBox::of_code(codes[at], points.dimension), points.dimension);
    wrong += boxes[i] != box;
  }
  return wrong;
}

std::shared_ptr<const TreeReport> TreeTrack::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

std::shared_ptr<const TreeLook> TreeTrack::look() const {
  const std::lock_guard lock(mutex_);
  return look_;
}

std::optional<Counts> TreeTrack::counts() const {
  const auto done = report();
  return done ? std::optional(done->counts) : std::nullopt;
}

}  // namespace warploom
