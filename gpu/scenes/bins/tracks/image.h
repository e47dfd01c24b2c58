#pragma once
#include <cstdint>
#include <memory>

#include "gpu/core/buffer.h"
#include "gpu/scenes/bins/bins.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// Of an application's kernel, at a frequency in cycles a grid cell.
using KernelTransform = double (*)(double cutoff, double frequency);

/// The image whose spectrum was gridded, made when it is asked for and kept until the output changes; not timed.
/// All its functions are the stepping thread's.
class GridImage {
 public:
  /// Takes no memory yet.
  GridImage(std::shared_ptr<const BinProblem> problem, KernelTransform transform)
      : problem_(std::move(problem)), transform_(transform) {}

  void output_changed() { made_ = false; }
  bool changed() const { return !made_; }
  /// `output`: the grid, (side, side, side, 2).
  const BinImage& of(Queue& queue, const Buffer<float>& output);
  std::uint64_t bytes() const;

 private:
  /// What it takes beside the output, once.
  void prepare(Queue& queue);

  std::shared_ptr<const BinProblem> problem_;
  KernelTransform transform_;
  BinImage image_;
  std::unique_ptr<StatePair> voxels_;
  Buffer<float> truth_, factors_;
  bool made_ = false;
};

}  // namespace warploom
