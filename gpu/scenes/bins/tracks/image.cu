// The image of a grid of frequencies, and how near it is to what it should be.
#include "gpu/scenes/bins/tracks/image.h"

#include <cmath>
#include <string>

#include "gpu/core/format.h"
#include "gpu/core/scoped_no_cancel.h"
#include "gpu/core/scoped_untimed.h"
#include "gpu/scenes/bins/kernels/audit.h"
#include "gpu/scenes/bins/kernels/fourier.h"
#include "gpu/scenes/bins/kernels/phantom.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

// Samples that a kernel spread over a grid leave the grid's image multiplied by the kernel's transform: the image is
// divided by it. Source: beatty2005gridding.

/// 1 / transform(cutoff, |s| / side) by |s|^2, the square of a voxel's distance from the middle, which is a whole
/// number: of the middle `kept` voxels along each axis.
std::vector<float> deapodising_factors(std::uint32_t side, std::uint32_t kept, double cutoff,
                                       KernelTransform transform) {
  const std::uint64_t half = kept / 2;
  std::vector<float> factors;
  factors.reserve(3 * half * half + 1);
  for (std::uint64_t square = 0; square <= 3 * half * half; ++square)
    factors.push_back(static_cast<float>(1 / transform(cutoff, std::sqrt(static_cast<double>(square)) / side)));
  return factors;
}

/// Real parts, each by the factor of its distance from the middle.
struct DeapodiseStage {
  const float* values;   ///< (kept, kept, kept, 2)
  const float* factors;  ///< by the square of the distance; null: 1
  std::uint32_t kept;
  float* out;  ///< (kept, kept, kept)
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const Index3 extent{kept, kept, kept};
    const Index3 at = unfold(i, extent);
    const std::uint32_t square = from_middle(at.x) + from_middle(at.y) + from_middle(at.z);
    out[i] = factors ? values[2 * i] * factors[square] : values[2 * i];
  }

 private:
  WARPLOOM_HD std::uint32_t from_middle(std::uint32_t at) const {
    const std::uint32_t middle = kept / 2, away = at < middle ? middle - at : at - middle;
    return away * away;
  }
};

/// Throws UsageError where the transform of a grid, its image twice and what that should be do not fit: host memory
/// would be given without asking, and missed when it is touched.
void check_image_room(Backend backend, std::uint32_t side) {
  const double s = side, kept = s / 2, bytes = 8 * s * kept * (s + kept) + 3 * sizeof(float) * kept * kept * kept,
               free = static_cast<double>(free_bytes(backend));
  if (bytes > free)
    throw MemoryError("the image of a grid of " + std::to_string(side) + " points per side: " + bytes_text(bytes) +
                      " of " + std::string(name(backend)) + " memory needed, " + bytes_text(free) +
                      " free; choose a smaller grid");
}

/// The filtered phantom, by the same transform: from its whole frequencies, with no grid between.
std::vector<float> phantom_image(Queue& queue, std::uint32_t side) {
  const std::uint32_t kept = side / 2;
  const std::vector<float> spectrum = filtered_phantom(kept, furthest_of_cones(side), queue.host_pool());
  Buffer<float> values(queue.backend(), spectrum.size()), image(queue.backend(), spectrum.size() / 2);
  values.upload(queue, spectrum);
  values = fourier_cube(queue, values.data(), kept, kept);
  launch_items("bins.deapodise", queue, image.size(), DeapodiseStage{values.data(), nullptr, kept, image.data()});
  return image.download(queue);
}

}  // namespace

void GridImage::prepare(Queue& queue) {
  if (voxels_) return;
  const std::uint32_t side = problem_->space.lattice.points.x, kept = side / 2;
  image_.extent = {kept, kept, kept};
  const auto factors = deapodising_factors(side, kept, static_cast<double>(problem_->space.cutoff), transform_);
  factors_ = Buffer<float>(queue.backend(), factors.size());
  factors_.upload(queue, factors);
  if (problem_->input.phantom) {
    const auto& truth = problem_->truth.get([&] { return phantom_image(queue, side); });
    truth_ = Buffer<float>(queue.backend(), truth.size());
    truth_.upload(queue, truth);
    image_.truth = truth_.data();
  }
  voxels_ = std::make_unique<StatePair>(queue, volume(image_.extent) * sizeof(float));
  image_.voxels = voxels_.get();
}

const BinImage& GridImage::of(Queue& queue, const Buffer<float>& output) {
  if (made_) return image_;
  const ScopedNoCancel whole(queue);
  const ScopedUntimed asked_for(queue);
  check_image_room(queue.backend(), problem_->space.lattice.points.x);
  prepare(queue);
  const std::uint32_t kept = image_.extent.x;
  const Buffer<float> values = fourier_cube(queue, output.data(), 2 * kept, kept);
  {
    const StatePair::Writer writer(*voxels_, queue, false);
    launch_items("bins.deapodise", queue, volume(image_.extent),
                 DeapodiseStage{values.data(), factors_.data(), kept, reinterpret_cast<float*>(writer.data())});
    queue.wait();
  }
  voxels_->flip();
  made_ = true;
  return image_;
}

std::uint64_t GridImage::bytes() const { return truth_.bytes() + factors_.bytes() + (voxels_ ? voxels_->bytes() : 0); }

std::optional<BinImage> BinsTrack::image(Queue& queue) {
  if (!image_) return std::nullopt;
  const bool again = image_->changed();
  const BinImage& made = image_->of(queue, output_[front_]);
  if (again) {
    shown_image_ = &made;
    ++images_made_;
  }
  update_bytes();
  return made;
}

std::optional<double> BinsTrack::image_error(Queue& queue) {
  if (!image_ || !stepped_ || !problem_->input.phantom) return std::nullopt;
  const ScopedNoCancel whole(queue);
  const ScopedUntimed asked_for(queue);
  const BinImage made = *image(queue);
  Buffer<double> sums(queue.backend(), 2);
  sums.zero(queue);
  launch_sums<2>("bins.compare", queue, volume(made.extent), sums.data(),
                 CompareOutputs{reinterpret_cast<const float*>(made.voxels->finished()), made.truth});
  const auto apart = sums.download(queue);
  return last_image_error_ = std::sqrt(apart[0] / apart[1]);
}

}  // namespace warploom
