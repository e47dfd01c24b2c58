#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/butterfly/complex.h"
#include "gpu/butterfly/report.h"
#include "gpu/core/buffer.h"
#include "gpu/pictures/picture.h"
#include "gpu/tracks/facets/networked.h"

namespace warploom {

class ButterflyTrack;
struct StagedValues;

/// A value of the output: x its place in the row, y the row.
inline constexpr const char* output_space = "output";

/// Where stages and wires are in the picture of a network, in its own units: a wire is one high.
struct NetworkPlan {
  int n = 0, stages = 0;
  bool reorders = false;  ///< of an FFT: outputs are untangled at the right
  double unit = 1;        ///< a stage is so wide

  // In stages from the left: a stage begins at its number with its edges, its nodes are three quarters on, and its
  // wires lead to the next one.
  static constexpr double begin = .72, nodes = .74, reorder = .8, output = .3;
  WARPLOOM_HD double place(double x) const { return x / unit + begin; }
  WARPLOOM_HD double x_of(double place) const { return (place - begin) * unit; }
  WARPLOOM_HD double width() const { return x_of(stages + 1 + (reorders ? reorder + output : .1)); }
  WARPLOOM_HD double node(int stage) const { return stage == 0 ? 0 : x_of(stage + nodes); }
  /// Where the wire of a stage ends, and edges to the next one begin.
  WARPLOOM_HD double end(int stage) const { return x_of(stage + 1); }
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
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  bool has_stages() const;
  NetworkPlan plan() const;
  ButterflyTrack& track_;
  // Of the thread that paints.
  /// Edges as curves, into `to`.
  void draw_lines(Queue& queue, const PictureRequest& request, const std::vector<NetworkEdge>& edges, int every,
                  Buffer<std::uint32_t>& to);
  std::vector<NetworkEdge> wires_;         ///< edges, and at the right where outputs go
  Buffer<std::uint32_t> lines_, in_cone_;  ///< (height, width): how much of a line, and of which kind
  Buffer<float> shades_;                   ///< (stages + 1, N): 0..1
  Buffer<std::uint8_t> cone_;              ///< (stages + 1, N): 1 where it is in the cone
  Focus focus_;
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
