#include "gpu/scenes/bins/tracks/track.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/core/scoped_member.h"
#include "gpu/scenes/bins/kernels/motion.h"
#include "gpu/scenes/bins/pictures/pictures.h"

namespace warploom {

namespace {

/// Bytes that a buffer of so many lacks.
template <class Value>
double lacking(const Buffer<Value>& buffer, std::uint64_t count) {
  // The old one is given back before.
  return static_cast<double>(count) * sizeof(Value) - static_cast<double>(buffer.bytes());
}

/// Makes a buffer so large, if it is not; what was there is lost. Never shrinks: bins breathe. One that grows again
/// takes an eighth more on a CPU, whose memory is given page by page when it is touched first: else every step would
/// wait for fresh pages while bins deepen.
template <class Value>
void grow(Buffer<Value>& buffer, Backend backend, std::uint64_t count) {
  if (buffer.size() >= count) return;
  const bool again = buffer.size() > 0 && backend == Backend::cpu;
  buffer = {};
  buffer = Buffer<Value>(backend, again ? count + count / 8 : count);
}

template <class Value>
void upload_all(Queue& queue, Buffer<Value>& to, const std::vector<Value>& values) {
  to = Buffer<Value>(queue.backend(), values.size());
  to.upload(queue, values);
}

}  // namespace

BinsTrack::BinsTrack(Queue& queue, std::shared_ptr<const BinProblem> problem, const BinApplicationInfo& application,
                     const TrackInfo& info, const BinVariant& variant)
    : problem_(std::move(problem)),
      application_(application),
      variant_(variant),
      states_(queue, 1),
      scratch_(queue.backend()) {
  const Backend backend = queue.backend();
  offer<Approximate>(*this);
  offer<Numbers>(*this);
  offer<FollowerFacet>(*this);
  // How full the blocks of an input-driven track on bins are hangs on the elements.
  if (!variant_.spreads || !has_bins()) offer<Counted>(*this);
  if (!variant_.spreads) offer<Threads>(*this);  // else threads serve elements
  budget_bytes_ = static_cast<double>(free_bytes(backend));
  info_ = info;
  kernel_ = "bins.total";
  dimensions_ = 3;
  const BinSpace& space = this->space();
  extent_ = moves() ? Index3{static_cast<std::uint32_t>(count()), 1, 1} : space.lattice.points;
  cells_ = volume(extent_);
  const std::uint64_t values = cells_ * application.components;
  const double n = static_cast<double>(count()), bins = static_cast<double>(space.grid.count());
  check_room(backend, 4 * ((moves() ? 17 : application.width) * n + 3 * static_cast<double>(values) +
                           (has_bins() ? (keeps_ranks() ? 3 : 2) * n + 4 * bins : 0) +
                           (variant_.spills ? (1 + application.width) * n + static_cast<double>(values) : 0)));
  if (variant_.access->pads_bins && std::min(n * slots_of_32_bytes(), n + bins * (slots_of_32_bytes() - 1)) >= 0x1p32)
    throw UsageError(info_.name + ": more than 2^32 slots; choose larger bins");
  upload_all(queue, elements_[0], problem_->input.elements);
  for (auto& output : output_) output = Buffer<float>(backend, values);
  if (moves()) {
    elements_[1] = Buffer<float>(backend, elements_[0].size());
    for (auto& velocities : velocities_) velocities = Buffer<float>(backend, 3 * count());
    accelerations_ = Buffer<float>(backend, values);
    lost_ = Buffer<std::uint32_t>(backend, 1);
  }
  if (has_bins()) {
    bins_ = Buffer<std::uint32_t>(backend, count());
    ranks_[0] = Buffer<std::uint32_t>(backend, count());
    if (keeps_ranks()) ranks_[1] = Buffer<std::uint32_t>(backend, count());
    for (auto& counts : counts_) counts = Buffer<std::uint32_t>(backend, space.grid.count());
    if (!regular() || problem_->settings.binning == Binning::sort)
      for (auto& offsets : offsets_) offsets = Buffer<std::uint32_t>(backend, space.grid.count() + 1);
    deepest_ = Buffer<std::uint32_t>(backend, 1);
  }
  if (variant_.spills) {
    overflow_ = Buffer<std::int32_t>(backend, count());
    overflowed_ = Buffer<std::uint32_t>(backend, 1);
    merged_ = Buffer<float>(backend, values);
    // Of the thread that spills; on a device a stream of its own.
    spill_queue_ = std::make_unique<Queue>(backend, true, 1);
    fetched_ = Buffer<float>(backend, count() * application.width);  // not while the gather runs: it would wait for it
    scattered_.emplace(backend);
    if (problem_->settings.cap >= 0) found_.cap = static_cast<std::uint32_t>(problem_->settings.cap);
  }
  hits_ = Buffer<std::uint32_t>(backend, cells_);
  totals_ = Buffer<AuditTotals>(backend, 1);
}

void BinsTrack::describe_stages(Backend backend) {
  const LaunchShape elements = row_shape(count()), bins = row_shape(space().grid.count());
  const std::uint64_t bytes = count() * application_.width * sizeof(float);
  if (moves()) stages_.push_back({"bins.drift", {elements}, 2 * bytes, false});
  if (has_bins()) {
    stages_.push_back({"bins.histogram", {elements}, bytes, false});
    if (problem_->settings.binning == Binning::sort) stages_.push_back({"bins.sort", {elements}, 0, false});
    stages_.push_back({regular() ? "bins.reduce" : "bins.scan", {bins}, 0, false});
    stages_.push_back({"bins.scatter", {elements}, 2 * bytes, false});
  }
  output_stage_ = stages_.size();
  auto own = output_stages();
  stages_.push_back(std::move(own.front()));
  if (variant_.spills) {
    stages_.push_back({"bins.spill", {}, 0, true});
    stages_.push_back({"bins.merge", {row_shape(outputs())}, 3 * outputs() * sizeof(float), false});
  }
  for (std::size_t i = 1; i < own.size(); ++i) stages_.push_back(std::move(own[i]));
  if (moves()) stages_.push_back({"bins.kick", {row_shape(3 * count())}, 0, false});
  tests_ = Buffer<std::uint64_t>(backend, output_shape().block_count());
  update_bytes();
  offer<Described>(*this);
  offer<Compared>(*this);
  const auto show = [&](std::unique_ptr<Picture> (*make)(BinsTrack&)) {
    pictures_.push_back(own_pictures_.emplace_back(make(*this)).get());
  };
  if (has_bins()) {
    offer<Curves>(*this);
    offer<BudgetFacet>(*this);
    offer<PaddingFacet>(*this);
    show(make_occupancy_picture);
    show(make_memory_picture);
  }
  if (facet<Counted>()) stated_ = counted_by_shape();
  show(moves() ? make_bodies_picture : make_output_picture);
  if (application_.surface > 0) show(make_surface_picture);
  if (image_) show(make_image_picture);
  if (!variant_.spreads) show(make_load_picture);
}

std::uint64_t BinsTrack::outputs() const { return cells_ * application_.components; }

BinSlots BinsTrack::slots_of(int state) const {
  BinSlots slots{space().grid};
  slots.width = application_.width;
  slots.counts = counts_[state].data();
  slots.offsets = offsets_[state].data();
  slots.capacity = shapes_[state].capacity;
  slots.elements = count();
  slots.stride = shapes_[state].slots;
  return slots;
}

BinSlots BinsTrack::slots(int state) const {
  BinSlots slots = slots_of(state);
  slots.values = has_bins() ? values_.data() : elements_of(state).data();
  return slots;
}

void BinsTrack::count_bins(Queue& queue, int state) {
  const BinGrid& grid = space().grid;
  const bool sorts = problem_->settings.binning == Binning::sort;
  TimedSpan span(queue, "bins.histogram", count() * (application_.width + 2) * sizeof(float));
  counts_[state].zero(queue);
  launch_items("bins.histogram", queue, count(),
               HistogramStage{view(state), grid, bins_.data(), ranks(state).data(), counts_[state].data()});
  span.finish();
  if (!sorts) return;
  TimedSpan sorting(queue, "bins.sort", 0);
  exclusive_scan("bins.sort", queue, counts_[state].data(), grid.count(), ~0u, offsets_[state].data(), scratch_);
  grow(order_, queue.backend(), count());
  auto* order = reinterpret_cast<std::uint32_t*>(order_.data());
  stable_order("bins.sort", queue, bins_.data(), count(), grid.count(), order, scratch_);
  launch_items("bins.sort", queue, count(),
               RankStage{order, bins_.data(), offsets_[state].data(), ranks(state).data()});
  sorting.finish();
}

void BinsTrack::bin(Queue& queue, int state) {
  binned_ = is_audited_ = false;
  if (!has_bins()) return;
  const BinGrid& grid = space().grid;
  count_bins(queue, state);
  if (regular()) {
    TimedSpan span(queue, "bins.reduce", grid.count() * sizeof(std::uint32_t));
    deepest_.zero(queue);
    launch_items("bins.reduce", queue, grid.count(), DeepestStage{counts_[state].data(), deepest_.data()});
    span.finish();
    capacity_ = std::min(deepest_.download(queue)[0], found_.cap);
    slot_count_ = grid.count() * capacity_;
  } else {
    TimedSpan span(queue, "bins.scan", grid.count() * 2 * sizeof(std::uint32_t));
    exclusive_scan("bins.scan", queue, counts_[state].data(), grid.count(), found_.cap, offsets_[state].data(),
                   scratch_, variant_.access->pads_bins ? slots_of_32_bytes() : 1);
    prepare(queue, slots(state));
    span.finish();
    slot_count_ = count();
    if (variant_.access->pads_bins) {
      std::uint32_t last = 0;
      download_bytes(queue, &last, offsets_[state].data() + grid.count(), sizeof last);
      slot_count_ = last;
    }
  }
  const std::uint64_t floats = slot_count_ * floats_a_slot(), places = std::max(slot_count_, count());
  check_room(queue.backend(), lacking(values_, floats) + lacking(order_, places));
  // Those that a block reads at once are counted in 32 bits.
  if (regular() && variant_.access->reads_padding && slot_count_ >= 1ull << 32)
    throw UsageError(info_.name + ": more than 2^32 slots, which it reads padding and all; choose compact bins");
  grow(values_, queue.backend(), floats);
  grow(order_, queue.backend(), places);
  update_bytes();
  TimedSpan span(queue, "bins.scatter", 2 * count() * application_.width * sizeof(float));
  if (variant_.spills) overflowed_.zero(queue);
  if (regular() || variant_.access->pads_bins) {
    // No element in any slot, and no number in those that are read without being asked for.
    fill_with_ones(queue, order_.data(), slot_count_ * sizeof(std::int32_t));
    if (variant_.access->reads_padding)
      fill_with_ones(queue, values_.data(), slot_count_ * floats_a_slot() * sizeof(float));
  }
  launch_items("bins.scatter", queue, count(),
               ScatterStage{view(state), bins_.data(), ranks(state).data(),
                            regular() ? nullptr : offsets_[state].data(), capacity_, values_.data(), order_.data(),
                            found_.cap, overflow_.data(), overflowed_.data(), variant_.access->layout, slot_count_});
  span.finish();
  shapes_[state] = {capacity_, found_.cap, slot_count_, false};
}

void BinsTrack::check_room(Backend backend, double bytes) const {
  // Host memory is given without asking, and missed when it is touched.
  if (bytes <= 0) return;
  const double free = static_cast<double>(free_bytes(backend));
  if (bytes > free)
    throw MemoryError(info_.name + ": " + bytes_text(bytes) + " of " + std::string(name(backend)) + " memory needed, " +
                      bytes_text(free) + " free; choose compact bins, a cap, or larger bins");
}

void BinsTrack::check_bodies(Queue& queue) const {
  if (lost_.download(queue)[0])
    throw Error(info_.name + ": a body left the finite numbers; choose a smaller time_step, or other velocities");
}

void BinsTrack::rebin(Queue& queue) {
  if (binned_) return;
  const ScopedNoCancel whole(queue);
  const ScopedUntimed again(queue);
  const StatePair::Writer writer(states_, queue, true);
  bin(queue, front_);
  shapes_[front_].stepped = stepped_;
  binned_ = true;
  queue.wait();  // others read this state in queues of their own
}

void BinsTrack::update_bytes() {
  const auto sum = [](const auto&... buffers) { return (buffers.bytes() + ...); };
  state_bytes_ = sum(elements_[0], elements_[1], velocities_[0], velocities_[1], output_[0], output_[1], accelerations_,
                     bins_, ranks_[0], ranks_[1], counts_[0], counts_[1], offsets_[0], offsets_[1], deepest_, values_,
                     order_, hits_, tests_, totals_, sums_, overflow_, overflowed_, fetched_, merged_, lost_) +
                 scratch_.size() + (image_ ? image_->bytes() : 0) + prepared_bytes();
}

void BinsTrack::start(Queue& queue) {
  const int back = 1 - front_;
  const StatePair::Writer writer(states_, queue, false);
  binned_ = is_audited_ = judged_ = false;
  if (moves()) {
    elements_[back].upload(queue, problem_->input.elements);
    velocities_[back].upload(queue, problem_->input.velocities);
    accelerations_.zero(queue);  // until it follows a track
  }
  find_cap(queue, back);
  bin(queue, back);  // what does not fit is told before anything is shown
  if (moves()) {
    make_outputs(queue, back);
  } else {
    output_[back].zero(queue);
  }
  back_stepped_ = shapes_[back].stepped = moves();
  update_bytes();
}

void BinsTrack::adopt(Queue& queue, const Track& from) {
  const auto& other = dynamic_cast<const BinsTrack&>(from);
  if (!other.stepped_) return start(queue);
  const int back = 1 - front_;
  const StatePair::Writer writer(states_, queue, false);
  binned_ = is_audited_ = judged_ = false;
  if (moves()) {
    copy_bytes(queue, elements_[back].data(), other.finished_elements().data(), elements_[back].bytes());
    copy_bytes(queue, velocities_[back].data(), other.velocities_[other.front_].data(), velocities_[back].bytes());
  }
  find_cap(queue, back);
  bin(queue, back);
  make_outputs(queue, back);
  back_stepped_ = shapes_[back].stepped = true;
  update_bytes();
}

void BinsTrack::find_cap(Queue& queue, int state) {
  if (!variant_.spills || problem_->settings.cap >= 0 || !found_.curve.empty()) return;
  const std::string key = std::string(name(queue.backend())) + " " + info_.name;
  {
    const std::lock_guard lock(problem_->caps_mutex);
    if (const auto known = problem_->caps.find(key); known != problem_->caps.end()) {
      found_ = known->second;
      return;
    }
  }
  search_cap(queue, state);
  const std::lock_guard lock(problem_->caps_mutex);
  problem_->caps.insert_or_assign(key, found_);
}

void BinsTrack::step(Queue& queue) {
  const int back = 1 - front_;
  const float time_step = static_cast<float>(problem_->settings.time_step);
  const StatePair::Writer writer(states_, queue, false);
  if (moves()) lost_.zero(queue);
  TimedSpan total(queue, "bins.total", 0);
  if (moves())
    launch_items("bins.drift", queue, count(),
                 DriftStage{elements_[front_].data(), velocities_[front_].data(), accelerations_.data(),
                            elements_[back].data(), velocities_[back].data(), space().grid, time_step, lost_.data()});
  bin(queue, back);
  make_outputs(queue, back);
  if (moves())
    launch_items("bins.kick", queue, 3 * count(),
                 KickStage{velocities_[back].data(), output_[back].data(), time_step, lost_.data()});
  total.finish();
  if (moves()) check_bodies(queue);
  back_stepped_ = shapes_[back].stepped = true;
}

void BinsTrack::publish(Queue&) {
  front_ = 1 - front_;
  states_.flip();
  stepped_ = back_stepped_;
  binned_ = has_bins();
  if (image_) image_->output_changed();
}

void BinsTrack::give_up(Queue&) { binned_ = is_audited_ = false; }

void BinsTrack::follow(Queue& queue, const Track& reference) {
  if (!moves()) return;
  const auto& other = dynamic_cast<const BinsTrack&>(reference);
  const auto& right = other.output_[other.front_];
  copy_bytes(queue, accelerations_.data(), right.data(), right.bytes());
  if (&other == this) return;
  // Positions are the same to the bit, as are those that they come from; velocities are not, the last kick was its own.
  copy_bytes(queue, velocities_[front_].data(), other.velocities_[other.front_].data(), velocities_[front_].bytes());
}

}  // namespace warploom
