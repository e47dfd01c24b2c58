#include "gpu/scenes/butterfly/tracks/track.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/watched_work.h"
#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "gpu/scenes/butterfly/kernels/signals.h"
#include "gpu/scenes/butterfly/tracks/programs.h"

namespace warploom {

const char* kernel_of(const std::string& algorithm) {
  static const char* const names[] = {"butterfly.fft",  "butterfly.real_fft",    "butterfly.dct",
                                      "butterfly.scan", "butterfly.tridiagonal", "butterfly.sort"};
  for (const char* name : names)
    if (algorithm == name + std::strlen("butterfly.")) return name;
  throw Error("no kernel of algorithm '" + algorithm + "'");
}

namespace {

SignalKind signal_kind(const std::string& signal) {
  static constexpr std::pair<const char*, SignalKind> all[] = {
      {"tones", SignalKind::tones},       {"chirp", SignalKind::chirp},         {"impulse", SignalKind::impulse},
      {"square", SignalKind::square},     {"noise", SignalKind::noise},         {"ones", SignalKind::ones},
      {"walk", SignalKind::walk},         {"heat", SignalKind::heat},           {"toeplitz", SignalKind::toeplitz},
      {"dominant", SignalKind::dominant}, {"decoupled", SignalKind::decoupled}, {"singular", SignalKind::singular},
      {"shuffled", SignalKind::shuffled}, {"reversed", SignalKind::reversed},   {"few", SignalKind::few},
      {"sorted", SignalKind::sorted},     {"drawn", SignalKind::drawn}};
  for (const auto& [name, kind] : all)
    if (signal == name) return kind;
  return SignalKind::noise;
}

SignalType signal_type(const ButterflySettings& settings, const RowShape& shape) {
  if (settings.algorithm == "tridiagonal") return SignalType::system;
  if (settings.algorithm == "sort") return SignalType::key;
  if (shape.numpy[1] == 'c') return SignalType::complex;
  if (shape.numpy[1] == 'f') return SignalType::real;
  return shape.width == 2 ? SignalType::affine : SignalType::whole;
}

/// From row by row to element by element of all rows, or back.
void transpose(Queue& queue, const void* from, void* to, bool from_interleaved, std::uint64_t batch,
               const RowShape& shape) {
  launch("butterfly.transpose", queue, row_shape(batch * shape.elements),
         TransposeRows{static_cast<const std::uint32_t*>(from), static_cast<std::uint32_t*>(to),
                       from_interleaved ? shape.elements : batch, from_interleaved ? batch : shape.elements,
                       shape.bytes / 4});
}

ButterflyTrack& ours(Track& track) {
  auto* ours = dynamic_cast<ButterflyTrack*>(&track);
  if (!ours) throw Error("a track that is none of butterflies");
  return *ours;
}

}  // namespace

ButterflyTrack::ButterflyTrack(Queue& queue, std::shared_ptr<const ButterflyProblem> problem, const TrackInfo& info,
                               const ButterflyVariant& variant)
    : problem_(std::move(problem)),
      variant_(variant),
      in_(input_shape(settings())),
      out_(output_shape(settings())),
      states_(queue, 1),
      keeper_(queue.backend(), out_.elements) {
  const Backend backend = queue.backend();
  offer<Approximate>(*this);
  // Of others' libraries nothing is known but what they make.
  if (variant_.variant != "vendor") {
    offer<Counted>(*this);
    offer<Compared>(*this);
    offer<NetworkFacet>(*this);
    offer<StagesFacet>(*this);
  }
  offer<RateFacet>(*this);
  info_ = info;
  kernel_ = kernel_of(settings().algorithm);
  extent_ = {1u << settings().n, static_cast<std::uint32_t>(settings().batch), 1};
  cells_ = volume(extent_);
  const std::uint64_t batch = settings().batch;
  for (int i = 0; i < (problem_->file.empty() ? 2 : 1); ++i)
    input_[i] = Buffer<std::uint8_t>(backend, batch * in_.row_bytes());
  for (auto& output : output_) output = Buffer<std::uint8_t>(backend, batch * out_.row_bytes());
  if (is_system())
    for (auto& one : singular_) one = Buffer<std::uint64_t>(backend, batch);
  if (problem_->file.empty()) {
    sines_.assign(queue, sine_table());
    if (settings().signal == "drawn") curve_.assign(queue, drawn_curve(settings().curve, settings().n));
    if (settings().signal == "heat") {
      fed_ = Buffer<float>(backend, cells_);
      offer<FollowerFacet>(*this);
    }
  } else {
    Buffer<std::uint8_t>& only = input(0);
    only.upload(queue, problem_->file);
    if (variant_.interleaved) {
      Buffer<std::uint8_t> rows(backend, only.size());
      copy_bytes(queue, rows.data(), only.data(), only.size());
      transpose(queue, rows.data(), only.data(), false, batch, in_);
      queue.wait();
    }
  }
  transform_ = make_transform(queue, settings(), variant_);
  report_ = transform_->report();
  std::set<std::string> before;
  for (const TrackInfo& one : butterfly_tracks(settings().algorithm)) {
    before.insert(one.map);
    if (one.map == info.map) break;
  }
  report_.number = static_cast<int>(before.size());
  report_.resources = transform_->resources(queue);
  if (problem_->file.empty())
    stages_.push_back({"butterfly.signal", {row_shape(batch * in_.elements)}, batch * in_.row_bytes(), false});
  output_stage_ = stages_.size();
  std::vector<LaunchShape> shapes;
  if (const auto* team = dynamic_cast<const TeamTransform*>(transform_.get())) {
    offer<OverDevices>(*this);
    for (const auto& part : team->parts()) shapes.push_back(part.shape);
  } else {
    shapes.push_back(transform_->shape());
  }
  stages_.push_back({kernel_, shapes, batch * (in_.row_bytes() + out_.row_bytes()), false});
  working_in_last_ = find_working_in_last(batch);
  stated_ = counted_on_all();
  if (report_.mapping.s != 0 && variant_.mapping.n <= variant_.mapping.s) {
    edges_ = transform_->edges();
    distances_.resize(static_cast<std::size_t>(report_.stages) + 1);
    for (const NetworkEdge& edge : edges_) {
      auto& most = distances_[static_cast<std::size_t>(edge.stage)];
      most = std::max(most, static_cast<std::uint32_t>(std::abs(edge.to - edge.from)));
    }
    locations_ = transform_->locations();
  }
  offer<Described>(*this);
  own_pictures_.push_back(std::make_unique<NetworkPicture>(*this));
  // The threads that vendors' libraries launch are unknown; those of several devices are of several grids.
  if (variant_.variant != "vendor" && !is_shared_out())
    own_pictures_.push_back(std::make_unique<ThreadsPicture>(*this));
  own_pictures_.push_back(std::make_unique<RowsPicture>(*this));
  own_pictures_.push_back(std::make_unique<WaterfallPicture>(*this));
  for (const auto& picture : own_pictures_) pictures_.push_back(picture.get());
  state_bytes_ = input_[0].bytes() + input_[1].bytes() + output_[0].bytes() + output_[1].bytes() + sines_.bytes() +
                 curve_.bytes() + fed_.bytes() + keeper_.bytes() + singular_[0].bytes() + singular_[1].bytes() +
                 transform_->bytes();
}

ButterflyTrack::~ButterflyTrack() = default;

RateFacet::Work ButterflyTrack::work() const {
  const double elements = std::ldexp(static_cast<double>(settings().batch), settings().n), n = settings().n;
  const std::string& what = settings().algorithm;
  if (what == "fft") return {5 * elements * n / 1e9, "GFLOPS"};
  if (what == "real_fft" || what == "dct") return {2.5 * elements * n / 1e9, "GFLOPS"};
  return {elements / 1e6, what == "tridiagonal" ? "MRows/s" : what == "sort" ? "MKeys/s" : "MData/s"};
}

std::vector<RateFacet::Published> ButterflyTrack::published() const {
  if (settings().algorithm != "fft") return {};
  // Of each length the better of its versions; n is the side N, as elsewhere.
  Published printed{"published: GTX 580", {}, {105, 157, 210, 262, 313, 365, 419, 472, 448, 475, 492}};
  for (int n = 2; n <= 12; ++n) printed.n.push_back(std::ldexp(1., n));
  return {printed};
}

void ButterflyTrack::make_input(Queue& queue, int state, std::uint64_t time, bool feeds) {
  if (!problem_->file.empty()) return;
  MakeSignal signal{signal_kind(settings().signal), signal_type(settings(), in_)};
  signal.n = settings().n;
  signal.elements = in_.elements;
  signal.spectrum = settings().algorithm == "real_fft" && settings().inverse;
  signal.batch = settings().batch;
  // Noise and keys are drawn anew in each step, systems stay.
  signal.step = is_system() ? 0 : time;
  signal.seed = settings().seed;
  signal.sines = sines_.data();
  signal.curve = curve_.data();
  signal.curve_values = static_cast<std::uint32_t>(std::max<std::size_t>(1, curve_.size()));
  signal.fed = feeds && has_fed_ ? fed_.data() : nullptr;
  signal.interleaved = variant_.interleaved;
  signal.to = input_[state].data();
  const PartOfWork part(0, .25);
  launch("butterfly.signal", queue, row_shape(signal.batch * signal.elements), signal, signal.batch * in_.row_bytes());
}

void ButterflyTrack::run(Queue& queue, int state) {
  zero_[state].reset();
  std::uint64_t* singular = nullptr;
  if (is_system()) {
    fill_with_ones(queue, singular_[state].data(), singular_[state].bytes());
    singular = singular_[state].data();
  }
  {
    const PartOfWork part(.25, 1, report_.launches);
    transform_->run(queue, input(state).data(), output_[state].data(), singular);
  }
  if (!is_system()) return;
  const ScopedUntimed looking(queue);
  Buffer<std::uint64_t> found;
  found.assign(queue, std::vector<std::uint64_t>{~std::uint64_t{0}, 0});
  launch("butterfly.singular", queue, row_shape(settings().batch),
         FindSingular{singular, settings().batch, found.data()});
  const auto seen = found.download(queue);
  if (seen[1] == 0) return;
  launch("butterfly.singular", queue, row_shape(cells_),
         ForgetSingular{singular,
                        reinterpret_cast<float*>(output_[state].data()),
                        {settings().n, settings().batch, variant_.interleaved}});
  if (seen[0] == ~std::uint64_t{0}) return;
  std::uint64_t of_first = 0;
  download_bytes(queue, &of_first, singular + seen[0], sizeof of_first);
  zero_[state] = Index3{static_cast<std::uint32_t>(seen[0]), static_cast<std::uint32_t>(of_first & 0xffffffff), 0};
}

RowMagnitude ButterflyTrack::magnitudes(int state) const {
  RowMagnitude rows{output_[state].data(), RowValues::whole, out_.bytes / 4,
                    out_.elements,         settings().batch, variant_.interleaved};
  if (settings().algorithm == "sort") rows.kind = RowValues::key;
  if (out_.numpy[1] == 'f') rows.kind = RowValues::real;
  if (out_.numpy[1] == 'c') rows.kind = RowValues::complex, rows.stride = 1;
  return rows;
}

void ButterflyTrack::keep(Queue& queue, int state, const Kept& kept) {
  kept_[static_cast<std::size_t>(state)] = kept;
  keeper_.keep(queue, magnitudes(state), settings().row, kept.newest);
}

void ButterflyTrack::take(Queue& queue, void* to, const ButterflyTrack& other, const Buffer<std::uint8_t>& theirs,
                          const RowShape& shape) const {
  if (variant_.interleaved == other.variant_.interleaved)
    copy_bytes(queue, to, theirs.data(), theirs.size());
  else
    transpose(queue, theirs.data(), to, other.variant_.interleaved, settings().batch, shape);
}

void ButterflyTrack::start(Queue& queue) {
  const int back = 1 - front_;
  const StatePair::Writer writer(states_, queue, false);
  make_input(queue, back, 0, false);
  run(queue, back);
  const std::uint64_t next = kept_[front_].newest + 1;
  keep(queue, back, {next, next, 0});
  back_time_ = 0;
}

void ButterflyTrack::adopt(Queue& queue, const Track& from) {
  const auto& other = dynamic_cast<const ButterflyTrack&>(from);
  const int back = 1 - front_;
  const StatePair::Writer writer(states_, queue, false);
  if (problem_->file.empty()) {
    // The input as it is.
    take(queue, input_[back].data(), other, other.input_[other.front_], in_);
  }
  run(queue, back);
  // The output is the same again, and so is what was before it.
  Kept kept = other.kept_[other.front_];
  if (other.keeper_.columns() == keeper_.columns() && other.settings().row == settings().row)
    keeper_.copy(queue, other.keeper_);
  else
    kept.first = kept.newest;
  kept.step = other.time_;
  keep(queue, back, kept);
  back_time_ = other.time_;
}

void ButterflyTrack::step(Queue& queue) {
  const int back = 1 - front_;
  const StatePair::Writer writer(states_, queue, false);
  make_input(queue, back, time_ + 1, true);
  run(queue, back);
  keep(queue, back, {kept_[front_].newest + 1, kept_[front_].first, time_ + 1});
  back_time_ = time_ + 1;
}

void ButterflyTrack::publish(Queue&) {
  states_.flip();
  front_ = 1 - front_;
  time_ = back_time_;
}

void ButterflyTrack::follow(Queue& queue, const Track& reference) {
  const auto& other = dynamic_cast<const ButterflyTrack&>(reference);
  take(queue, fed_.data(), other, other.output_[other.front_], out_);
  has_fed_ = true;
  queue.wait();
}

std::optional<Seal> ButterflyTrack::seal(Queue& queue) {
  if (out_.numpy[1] != 'i' && out_.numpy[1] != 'u') return std::nullopt;
  Buffer<std::uint64_t> sums(queue.backend(), 2);
  sums.zero(queue);
  launch("butterfly.seal", queue, row_shape(cells_),
         SealRows{reinterpret_cast<const std::uint32_t*>(output_[front_].data()), out_.width, settings().n, cells_,
                  sums.data()});
  const auto found = sums.download(queue);
  return Seal{found[0], found[1], std::nullopt};
}

std::vector<std::uint8_t> ButterflyTrack::rows_of(Queue& queue, const Buffer<std::uint8_t>& buffer,
                                                  const RowShape& shape) {
  auto all = buffer.download(queue);
  if (!variant_.interleaved) return all;
  std::vector<std::uint8_t> rows(all.size());
  const std::uint64_t batch = settings().batch;
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t e = 0; e < shape.elements; ++e)
      std::memcpy(&rows[(b * shape.elements + e) * shape.bytes], &all[(e * batch + b) * shape.bytes], shape.bytes);
  return rows;
}

std::optional<Cell> ButterflyTrack::first_difference(Queue& queue, const Track& other) {
  if (out_.numpy[1] != 'i' && out_.numpy[1] != 'u') return std::nullopt;
  auto& reference = const_cast<ButterflyTrack&>(dynamic_cast<const ButterflyTrack&>(other));
  const auto mine = rows_of(queue, output_[front_], out_),
             theirs = reference.rows_of(queue, reference.output_[reference.front_], out_);
  const auto differs = std::mismatch(mine.begin(), mine.end(), theirs.begin());
  if (differs.first == mine.end()) return std::nullopt;
  return unfold(static_cast<std::uint64_t>(differs.first - mine.begin()) / out_.bytes, extent_);
}

std::unique_ptr<Track> make_butterfly_track(Queue& queue, std::shared_ptr<const ButterflyProblem> problem,
                                            const std::string& name) {
  const ButterflySettings& settings = problem->settings;
  TrackInfo info = find_butterfly_track(settings.algorithm, name);
  ButterflyVariant variant = butterfly_variant(settings, info);
  variant.devices = butterfly_devices(settings, name);
  info.name = butterfly_track_name(settings.algorithm, name);
  if (info.name.find('@') != std::string::npos)
    info.title += variant.devices == 1 ? ", one device" : ", " + std::to_string(variant.devices) + " devices";
  return std::make_unique<ButterflyTrack>(queue, std::move(problem), info, variant);
}

std::shared_ptr<const DevicesReport> ButterflyTrack::devices() const {
  return dynamic_cast<const TeamTransform&>(*transform_).devices();
}

void ButterflyTrack::poison(Queue& queue) {
  Buffer<std::uint8_t>& next = output_[1 - front_];
  fill_with_ones(queue, next.data(), next.bytes());
}

void poison_butterfly(Track& track, Queue& queue) { ours(track).poison(queue); }

void start_butterfly(Track& track, Queue& queue) { ours(track).start(queue); }

}  // namespace warploom
