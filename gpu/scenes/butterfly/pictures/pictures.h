#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/pictures/picture.h"
#include "gpu/pictures/scaled_picture.h"
#include "gpu/scenes/butterfly/kernels/complex.h"
#include "gpu/scenes/butterfly/kernels/report.h"
#include "gpu/scenes/butterfly/pictures/network_values.h"
#include "gpu/scenes/butterfly/pictures/thread_grid.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"

namespace warploom {

class ButterflyTrack;
struct StagedValues;

/// A value of the output: x its place in the row, y the row.
inline constexpr const char* output_space = "output";

/// The network of one problem: wires by what runs through them, edges by where their values go.
class NetworkPicture final : public Picture, public ScaledPicture {
 public:
  explicit NetworkPicture(ButterflyTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string caption() const override;
  std::string scale(const PictureRequest& request) const override;
  std::uint64_t version(const PictureRequest& request) const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  Legend legend(const PictureRequest& request) const override;
  std::optional<std::array<double, 2>> drawn(const PictureRequest& request, double x, double y) const override;
  std::vector<double> drawable_input() const override;
  std::vector<PictureLabel> labels(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  bool has_stages() const;
  int first_exchange() const;
  /// Where no stage is told: as many as can be told apart.
  std::uint32_t boxes_of_launches() const;
  std::string ring_text() const;
  std::vector<PictureLabel> axis_labels(const NetworkPlan& plan, double margin) const;
  std::vector<PictureLabel> launch_labels() const;
  NetworkPlan plan() const;
  ButterflyTrack& track_;
  // Of the thread that paints.
  void paint_wires(Queue& queue, const PictureRequest& request, const NetworkValues& values, bool focused);
  void paint_boxes(Queue& queue, const PictureRequest& request, const NetworkValues& values, bool focused);
  /// Of the focus, also for the kernels.
  std::vector<std::uint8_t> make_cone(Queue& queue, const PictureRequest& request, const NetworkPlan& plan);
  /// Values of the stages, and of the bars at both ends. False: there are none.
  bool upload_values(Queue& queue);
  /// Edges as curves, into `to`.
  void draw_lines(Queue& queue, const PictureRequest& request, const std::vector<NetworkEdge>& edges, int every,
                  Buffer<std::uint32_t>& to);
  std::vector<NetworkEdge> wires_;         ///< edges, and at the right where outputs go
  Buffer<std::uint32_t> lines_, in_cone_;  ///< (height, width): how much of a line, and of which kind
  Buffer<float> shades_;                   ///< (stages + 1, N): 0..1
  Buffer<float> bars_;                     ///< (2, N): of input and output, -1..1
  Buffer<StageBox> boxes_;                 ///< (stages)
  Buffer<std::uint8_t> cone_;              ///< (stages + 1, N): 1 where it is in the cone
  std::shared_ptr<const StagedValues> uploaded_;
  Focus focus_;
  std::optional<PixelsOf> drawn_;  ///< where the lines are
};

/// Rows of outputs by magnitude: what their pictures share.
class PictureOfRows : public Picture {
 public:
  std::uint64_t version(const PictureRequest& request) const override;
  ValueRange range(const PictureRequest& request) const override;
  Legend legend(const PictureRequest& request) const override;

 protected:
  PictureOfRows(ButterflyTrack& track, PictureInfo info);
  /// What its columns are, below it; at its left what the first row is, and the last one, which ends at `end`.
  std::vector<PictureLabel> axes(const std::string& first, const std::string& last, double end) const;
  /// Rows: RowMagnitude, KeptRows.
  template <class Rows>
  void paint_rows(Queue& queue, const PictureRequest& request, const Rows& rows);
  ButterflyTrack& track_;

 private:
  Buffer<std::uint32_t> most_;
  std::atomic<float> top_{0};
};

/// Outputs of all problems: a row each.
class RowsPicture final : public PictureOfRows {
 public:
  explicit RowsPicture(ButterflyTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override { return "all problems"; }
  std::string caption() const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  std::vector<PictureLabel> labels(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;
};

/// The last outputs of the row that is shown, the newest above. It is as high as if it had room for all that are ever
/// kept: while there are few their rows are higher.
class WaterfallPicture final : public PictureOfRows {
 public:
  explicit WaterfallPicture(ButterflyTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override;
  std::string caption() const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  std::vector<PictureLabel> labels(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  std::atomic<std::uint64_t> shown_{0}, newest_step_{0};
};

/// Blocks of the launch and their threads; from some size on their registers, by what is in them after the stage that
/// is selected.
class ThreadsPicture final : public Picture {
 public:
  explicit ThreadsPicture(ButterflyTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override;
  std::string caption() const override;
  std::uint64_t version(const PictureRequest& request) const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  Legend legend(const PictureRequest& request) const override;
  std::vector<PictureLabel> labels(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  /// Of the stage that a request looks at.
  int stage(const PictureRequest& request) const;
  /// Registers are drawn.
  bool is_near(const PictureRequest& request) const;
  ButterflyTrack& track_;
  Buffer<float> shades_;  ///< (threads of a problem, registers)
};

}  // namespace warploom
