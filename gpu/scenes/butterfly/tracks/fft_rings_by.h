#pragma once
#include "gpu/core/backend.h"
#include "gpu/scenes/butterfly/tracks/fft_rings.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

// For sources of rings alone.
namespace warploom {

template <class Ring>
class FftRingOf final : public FftRing {
  using Program = OnDevices<Ring>;

 public:
  FftRingOf(Queue& queue, const FftPass& first, const FftPass& second, std::uint64_t tiles) : tiles_(tiles) {
    const int chunk = first.high() < first.n ? first.high() + second.shape.riders : first.n;
    constexpr std::uint64_t quickest = 16u << 20;  // a larger ring is slower, a smaller one waits
    const std::uint64_t most = std::min(quickest, cuda_status().l2_bytes / 3);
    const std::uint32_t resident = resident_blocks(queue, program({}, {}), Program::exact_threads);
    constexpr double share = Program::exact_threads <= 256 ? .6 : .7;
    shape_ = ring_shape(chunk, Program::tile_digits, sizeof(Complex), most, resident, share);
    if (shape_.slots == 0) return;
    values_ = Buffer<Complex>(queue.backend(), shape_.elements());
    words_ = Buffer<std::uint64_t>(queue.backend(), RingBoard::words(chunks()));
  }

  void run(Queue& queue, const char* kernel, const PassRun& first, const PassRun& second) override {
    words_.zero(queue);
    const Program ring = program(first, second);
    launch(kernel, queue, {row_of_blocks(ring.tickets()), {Program::exact_threads, 1, 1}}, ring);
  }
  const RingShape& shape() const override { return shape_; }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return resources_of(queue, program({}, {}), Program::exact_threads);
  }
  std::uint64_t bytes() const override { return values_.bytes() + words_.bytes(); }

 private:
  std::uint64_t chunks() const { return tiles_ / shape_.tiles_of_chunk(); }
  Program program(const PassRun& first, const PassRun& second) const {
    return {{first.program<typename Program::First>(), second.program<typename Program::Second>(), shape_,
             RingBoard::in(words_.data(), shape_.slots ? chunks() : 0), values_.data(), tiles_}};
  }

  std::uint64_t tiles_;
  RingShape shape_;
  Buffer<Complex> values_;
  Buffer<std::uint64_t> words_;
};

template <class Rings>
std::unique_ptr<FftRing> fft_ring_of(Queue& queue, const FftPass& first, const FftPass& second, std::uint64_t tiles) {
  std::unique_ptr<FftRing> found;
  if constexpr (compiled_for_devices)
    for_each_type(Rings{}, [&]<class Program>() {
      if (!(Program::First::shape == first.shape && Program::Second::shape == second.shape)) return;
      found = std::make_unique<FftRingOf<Program>>(queue, first, second, tiles);
      if (found->shape().slots == 0) found = nullptr;
    });
  return found;
}

}  // namespace warploom
