// Whether what a track of bins holds is right: seals, audits, verdicts.
#include <algorithm>
#include <cmath>

#include "gpu/core/scoped_no_cancel.h"
#include "gpu/core/scoped_untimed.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

std::optional<Seal> BinsTrack::seal(Queue& queue) {
  if (has_bins()) rebin(queue);
  Buffer<std::uint64_t> sums(queue.backend(), 2);
  sums.zero(queue);
  if (has_bins())
    launch_sums<2>("bins.seal", queue, space().grid.count(), sums.data(),
                   SealBins{regular() ? nullptr : offsets_[front_].data(), capacity_, order_.data()});
  const std::uint64_t loose = has_bins() ? spilled_count(queue) : count();
  if (loose)
    launch_sums<1>("bins.seal", queue, loose, sums.data(), SealElements{finished(), space().grid, overflow_.data()});
  const auto found = sums.download(queue);
  // So that cards tell of the state although it is not painted.
  constexpr std::uint64_t few_bins = 1u << 16;
  if (space().grid.count() <= few_bins) look(queue, Reading(*this, queue));
  return Seal{found[0], found[1] + loose, std::nullopt};
}

void BinsTrack::audit(Queue& queue) {
  if (is_audited_) return;
  if (has_bins()) rebin(queue);
  const ScopedNoCancel whole(queue);
  const ScopedUntimed auditing(queue);
  Buffer<double> sizes(queue.backend(), outputs()), squares(queue.backend(), 1);
  hits_.zero(queue);
  tests_.zero(queue);
  totals_.zero(queue);
  sizes.zero(queue);
  squares.zero(queue);
  run_audit(queue, slots(front_), variant_.number, {hits_.data(), tests_.data(), sizes.data(), totals_.data()});
  audit_overflow(queue, sizes.data());
  launch_sums<1>("bins.audit", queue, outputs(), squares.data(), SquareOf{sizes.data()});
  audited_ = totals_.download(queue)[0];
  square_of_sizes_ = squares.download(queue)[0];
  is_audited_ = true;
}

void BinsTrack::show_image(Queue& queue) {
  if (!image_ || !stepped_ || !image_wanted_.exchange(false)) return;
  (void)image(queue);
  (void)image_error(queue);
}

std::optional<Cell> BinsTrack::first_difference(Queue& queue, const Track& other) {
  const auto& reference = dynamic_cast<const BinsTrack&>(other);
  if (!is_audited_ || !reference.is_audited_) return std::nullopt;
  Buffer<std::uint64_t> found(queue.backend(), 2);
  found.upload(queue, std::vector<std::uint64_t>{0, ~std::uint64_t{0}});
  launch_items("bins.compare", queue, cells_, CompareHits{hits_.data(), reference.hits_.data(), found.data()});
  const auto seen = found.download(queue);
  return seen[0] ? std::optional(unfold(seen[1], extent_)) : std::nullopt;
}

Verdict BinsTrack::verdict(Queue& queue, const Track& other) {
  // The reference is another track of the same scene, and of the same thread.
  auto& reference = const_cast<BinsTrack&>(dynamic_cast<const BinsTrack&>(other));
  Verdict verdict{"reference", "relative_l2", 0, 0, 1e-5, std::nullopt};
  if (!stepped_ || !reference.stepped_) return verdict;
  show_image(queue);
  show_block_times(queue);
  // Bodies move: their terms' magnitudes are those of the reference's last audit, which change slowly.
  // Once when built; then on request.
  for (BinsTrack* track : {&reference, this})
    if (!track->judged_) {
      track->audit(queue);
      track->judged_ = true;
    }
  Buffer<double> sums(queue.backend(), 2);
  sums.zero(queue);
  launch_sums<2>("bins.compare", queue, outputs(), sums.data(),
                 CompareOutputs{output_[front_].data(), reference.output_[reference.front_].data()});
  const auto apart = sums.download(queue);
  const double difference = std::sqrt(apart[0]),
               whole = std::max(std::sqrt(apart[1]), std::sqrt(reference.square_of_sizes_) / 100);
  verdict.error = difference == 0 ? 0 : whole > 0 ? difference / whole : INFINITY;
  // Who is in reach is exact: that one output hears another number of elements is an error of its own.
  if (this != &reference && first_difference(queue, reference)) verdict.error = std::max(verdict.error, 1.);
  return verdict;
}

std::vector<std::uint32_t> BinsTrack::bin_numbers(Queue& queue) {
  if (has_bins()) {
    rebin(queue);
    return bins_.download(queue);
  }
  const auto values = finished_elements().download(queue);
  std::vector<std::uint32_t> all(count());
  for (std::uint64_t i = 0; i < count(); ++i) {
    const float* at = values.data() + i * application_.width;
    all[i] = static_cast<std::uint32_t>(space().grid.number(space().grid.bin_of({{at[0], at[1], at[2]}})));
  }
  return all;
}

std::vector<std::uint32_t> BinsTrack::counts(Queue& queue) {
  if (has_bins()) {
    rebin(queue);
    return counts_[front_].download(queue);
  }
  std::vector<std::uint32_t> all(space().grid.count());
  for (const std::uint32_t bin : bin_numbers(queue)) ++all[bin];
  return all;
}

}  // namespace warploom
