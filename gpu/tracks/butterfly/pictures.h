#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/butterfly/complex.h"
#include "gpu/core/buffer.h"
#include "gpu/pictures/picture.h"

namespace warploom {

class ButterflyTrack;
struct StagedValues;

/// A wire of the network after a stage: x the element, y the stage, 0 before the first.
inline constexpr const char* wire_space = "wire";

/// Where stages and wires are in the picture of a network, in its own units: a wire is one high.
struct NetworkPlan {
  int n = 0, stages = 0;
  bool reorders = false;  ///< of an FFT: outputs are untangled at the right
  double unit = 1;        ///< a stage is so wide

  WARPLOOM_HD double width() const { return unit * (stages + (reorders ? 2.2 : 1.4)); }
  /// Where the column of a stage begins; its nodes are two thirds on.
  WARPLOOM_HD double column(int stage) const { return unit * (stage - .4); }
  WARPLOOM_HD double node(int stage) const { return stage == 0 ? 0 : column(stage) + .62 * unit; }
  /// Where the wire of a stage ends, and edges to the next one begin.
  WARPLOOM_HD double end(int stage) const { return column(stage + 1); }
};

/// The network of one problem: wires by what runs through them, edges by where their values go.
class NetworkPicture final : public Picture {
 public:
  explicit NetworkPicture(ButterflyTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string caption() const override;
  std::uint64_t version(const PictureRequest& request) const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  std::vector<float> values(Queue& queue, Index3 first, Index3 size) override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  bool has_stages() const;
  NetworkPlan plan() const;
  ButterflyTrack& track_;
  // Of the thread that paints.
  Buffer<std::int32_t> edges_;   ///< (E, 4): stage, from, to, where
  Buffer<std::uint32_t> lines_;  ///< (height, width): how much of a line, and of which kind
  Buffer<float> shades_;         ///< (stages + 1, N): 0..1
  Camera lines_camera_;
  int lines_width_ = 0, lines_height_ = 0;
  std::atomic<int> every_{1};  ///< every k-th wire is drawn
};

/// Outputs of all problems: a row each.
class RowsPicture final : public Picture {
 public:
  explicit RowsPicture(ButterflyTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string caption() const override;
  std::uint64_t version(const PictureRequest& request) const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  ValueRange range(const PictureRequest& request) const override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  ButterflyTrack& track_;
  Buffer<std::uint32_t> most_;
  std::atomic<float> top_{1};
};

}  // namespace warploom
