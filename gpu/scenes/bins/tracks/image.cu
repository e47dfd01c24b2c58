// The image of a grid of frequencies, and how near it is to what it should be.
#include "gpu/scenes/bins/tracks/image.h"

#include <cmath>
#include <string>

#include "gpu/core/format.h"
#include "gpu/core/scoped_member.h"
#include "gpu/scenes/bins/kernels/audit.h"
#include "gpu/scenes/bins/kernels/deapodise.h"
#include "gpu/scenes/bins/kernels/fourier.h"
#include "gpu/scenes/bins/kernels/phantom.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

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
  launch("bins.deapodise", queue, row_shape(image.size()), DeapodiseStage{values.data(), nullptr, kept, image.data()});
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
    launch("bins.deapodise", queue, row_shape(volume(image_.extent)),
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
  const std::uint64_t voxels = volume(made.extent);
  launch("bins.compare", queue, row_shape(voxels),
         CompareOutputs{reinterpret_cast<const float*>(made.voxels->finished()), made.truth, voxels, sums.data()});
  const auto apart = sums.download(queue);
  return last_image_error_ = std::sqrt(apart[0] / apart[1]);
}

}  // namespace warploom
