#include "gpu/scenes/irregular/tracks/spmv_track.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/watched_work.h"
#include "gpu/scenes/irregular/pictures/spmv_pictures.h"
#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/spmv.h"
#include "gpu/scenes/irregular/vendor/spmv_vendor.h"
#include "gpu/tracks/sum_over.h"

namespace warploom {

namespace {

/// x, a column a thread.
struct DrawSpmvVector {
  SpmvVector vector;
  float* x;
  WARPLOOM_HD void operator()(std::uint64_t column) const { x[column] = vector.at(column); }
};

/// The hash of a row's y where it is not 0, by its bits; and its value.
struct HashOfSpmvRow {
  const std::uint32_t* y;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t row) const { return y[row] << 1 != 0 ? key_hash(y[row], row) : 0; }
};
struct WholeOfSpmvRow {
  const float* y;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t row) const {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(y[row]));
  }
};

}  // namespace

SpmvTrack::SpmvTrack(Queue& queue, std::shared_ptr<const SpmvProblem> problem, const IrregularSettings& settings,
                     const TrackInfo& info)
    : problem_(std::move(problem)),
      settings_(settings),
      layout_(make_spmv_layout(matrix(), settings, info.name)),
      all_bytes_(spmv_bytes(*problem_, settings)),
      free_bytes_(static_cast<double>(free_bytes(queue.backend()))),
      y_at_((matrix().columns * sizeof(float) + 255) / 256 * 256),
      states_(queue, y_at_ + matrix().rows * sizeof(float)) {
  offer<IrregularFacet>(*this);
  offer<Approximate>(*this);
  offer<Numbers>(*this);
  offer<Described>(*this);
  offer<BudgetFacet>(*this);
  offer<RateFacet>(*this);
  offer<Curves>(*this);
  offer<Compared>(*this);
  // Nothing is known of others' libraries but what they make.
  if (layout_) {
    offer<Counted>(*this);
    offer<LaneTurns>(*this);
    if (matrix().nonzeros() <= 1ull << 26) offer<Threads>(*this);
  }
  info_ = info;
  kernel_ = "spmv.multiply";
  extent_ = {matrix().columns, matrix().rows, 1};
  cells_ = matrix().nonzeros();
  SpmvSource source{matrix(), {queue, matrix().row_starts}, {queue, matrix().column_of}, {queue, matrix().values}};
  {
    const ScopedUntimed converting(queue);
    queue.wait();
    setup_ms_ = milliseconds_of([&] {
      product_ = layout_ ? find_spmv_format(info.name)->product(queue, source, *layout_)
                         : make_spmv_vendor(queue, source, settings_.vendor_csr_alone);
      queue.wait();
    });
  }
  stages_.push_back({"spmv.vector", {row_shape(matrix().columns)}, matrix().columns * sizeof(float), false});
  output_stage_ = stages_.size();
  std::vector<LaunchShape> shapes;
  for (std::size_t i = 0; layout_ && i < layout_->threads().size(); ++i)
    shapes.push_back(layout_->shape(static_cast<int>(i)));
  if (!layout_) shapes.emplace_back();
  stages_.push_back({kernel_, shapes, layout_ ? layout_->moved_bytes() : product_->bytes(), false});
  curves_ = std::make_shared<const std::vector<CurveFigure>>(make_curves());
  own_pictures_ = make_spmv_pictures(*this);
  for (const auto& picture : own_pictures_) pictures_.push_back(picture.get());
  state_bytes_ = states_.bytes() + product_->bytes();
}

SpmvTrack::~SpmvTrack() = default;

void SpmvTrack::run(Queue& queue, std::uint64_t step) {
  const StatePair::Writer writer(states_, queue, false);
  steps_[1 - states_.front()] = step;
  auto* x = reinterpret_cast<float*>(writer.data());
  auto* y = reinterpret_cast<float*>(writer.data() + y_at_);
  {
    const PartOfWork part(0, .2);
    launch("spmv.vector", queue, row_shape(matrix().columns),
           EachItem<DrawSpmvVector>{{spmv_vector(*problem_, step), x}, matrix().columns},
           matrix().columns * sizeof(float));
  }
  const PartOfWork part(.2, 1);
  product_->multiply(queue, x, y);
}

void SpmvTrack::start(Queue& queue) { run(queue, 0); }

void SpmvTrack::poison(Queue& queue) {
  const StatePair::Writer writer(states_, queue, false);
  fill_with_ones(queue, writer.data(), states_.one_bytes());
}

void SpmvTrack::adopt(Queue& queue, const Track& from) {
  const auto& other = dynamic_cast<const SpmvTrack&>(from);
  run(queue, other.steps_[other.states_.front()]);
}

void SpmvTrack::step(Queue& queue) { run(queue, steps_[states_.front()] + 1); }

void SpmvTrack::publish(Queue&) { states_.flip(); }

std::optional<Seal> SpmvTrack::seal(Queue& queue) {
  if (!matrix().exact()) return std::nullopt;
  const auto* y = states_.finished() + y_at_;
  Seal seal;
  seal.hash =
      sum_over("spmv.seal", queue, matrix().rows, HashOfSpmvRow{reinterpret_cast<const std::uint32_t*>(y)}, words_);
  seal.sum = sum_over("spmv.seal", queue, matrix().rows, WholeOfSpmvRow{reinterpret_cast<const float*>(y)}, words_);
  return seal;
}

std::unique_ptr<Track> make_spmv_track(Queue& queue, std::shared_ptr<const SpmvProblem> problem,
                                       const IrregularSettings& settings, const TrackInfo& info) {
  return std::make_unique<SpmvTrack>(queue, std::move(problem), settings, info);
}

}  // namespace warploom
