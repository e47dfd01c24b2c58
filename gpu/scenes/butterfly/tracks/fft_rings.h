#pragma once
#include <memory>
#include <optional>

#include "gpu/core/buffer.h"
#include "gpu/core/kernel_resources.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/tuned/fft_ring.h"

namespace warploom {

/// A pass, whatever its shape.
struct PassRun {
  FftPass pass;
  const Complex* in;
  Complex* out;
  bool swaps_in, swaps_out;
  float scale;
  PassTurns turns;

  template <class Tuned>
  TunedPass<Tuned> program() const {
    return {pass, in, out, swaps_in, swaps_out, scale, turns};
  }
};

/// The last two passes of rows in one launch.
class FftRing {
 public:
  virtual ~FftRing() = default;
  /// From first.in to second.out. Zeroes what blocks tell each other before.
  virtual void run(Queue& queue, const char* kernel, const PassRun& first, const PassRun& second) = 0;
  virtual const RingShape& shape() const = 0;
  virtual std::optional<KernelResources> resources(const Queue& queue) const = 0;
  virtual std::uint64_t bytes() const = 0;
};

/// Tiles that each pass has: those of all rows. Null on the CPU, where passes are launches; where three chunks are too
/// large for a third of the device's second cache; and where no kernel is for these shapes.
std::unique_ptr<FftRing> make_fft_ring(Queue& queue, const FftPass& first, const FftPass& second, std::uint64_t tiles);

/// ... of a list of rings: for their sources.
template <class Rings>
std::unique_ptr<FftRing> fft_ring_of(Queue& queue, const FftPass& first, const FftPass& second, std::uint64_t tiles);

}  // namespace warploom
