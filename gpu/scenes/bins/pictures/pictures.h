#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "gpu/core/buffer.h"
#include "gpu/pictures/mouse_question.h"
#include "gpu/pictures/picture.h"
#include "gpu/scenes/bins/kernels/geometry.h"

namespace warploom {

class BinsTrack;
struct BinsSnapshot;
struct BinPlane;
struct SurfaceMarch;
struct SurfaceHit;

/// An element that kernels find for the mouse.
class FoundElement {
 public:
  /// `find(nearest)` launches what makes it less for who is found: his number, below 2^32, under how far he is. All
  /// ones: none. pictures.cu.
  template <class Launch>
  std::uint64_t ask(Queue& queue, const PictureRequest& request, double x, double y, std::uint64_t serial,
                    Launch&& find);

 private:
  Buffer<std::uint64_t> nearest_;
  MouseQuestion<std::uint64_t> question_;
};

/// Dots of elements over a plane of bins: whether they are drawn, and which of them lies under the mouse.
class ElementDots {
 public:
  explicit ElementDots(BinsTrack& track) : track_(track) {}
  bool drawn(const PictureRequest& request) const;
  /// An empty selection: none. Null: nothing is asked.
  Selection at(Queue* queue, const PictureRequest& request, const BinPlane& plane, double x, double y);
  /// Of a selected element, in bins; and of what it reaches.
  void add_marks(const Selected& selected, const BinPlane& plane, std::vector<Outline>& to) const;

 private:
  BinsTrack& track_;
  FoundElement found_;
};

/// A picture of bins: what all of them share.
class PictureOfBins : public Picture {
 public:
  std::uint64_t version(const PictureRequest& request) const override;

 protected:
  PictureOfBins(BinsTrack& track, PictureInfo info) : Picture(std::move(info)), track_(track) {}
  BinsTrack& track_;
};

/// How full bins are: all that lie behind each other, or a layer of them; elements as dots, where there is room.
class OccupancyOfBins final : public PictureOfBins {
 public:
  explicit OccupancyOfBins(BinsTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string caption() const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  std::vector<float> values(Queue& queue, Index3 first, Index3 size) override;
  ValueRange range(const PictureRequest& request) const override;
  float shade(float value, const ValueRange& range) const override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  ElementDots dots_{track_};
  Buffer<std::uint32_t> values_, layers_, most_, weights_;
  Buffer<Rgba> colours_;
  std::atomic<std::uint32_t> most_in_all_{0}, deepest_{0};  ///< of the places that were painted last
  struct Painted {
    int axis = -1;
    double slice = 0;
    bool deepest = false, dots = false;
  };
  std::mutex mutex_;
  Painted painted_;  ///< what was looked at last, under mutex_: numbers are of the same
};

/// Slots in address order.
class BinMemory final : public PictureOfBins {
 public:
  explicit BinMemory(BinsTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override;
  std::string caption() const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  /// The element of this rank in a bin.
  std::optional<std::uint32_t> in_slot(Queue& queue, const PictureRequest& request, double x, double y,
                                       std::uint64_t bin, std::uint32_t rank);
  FoundElement found_;
  std::atomic<bool> sampled_{false};  ///< not every slot of a pixel was looked at
};

/// A layer of the outputs; of bodies, that are outputs themselves, where they are.
class OutputOfBins final : public PictureOfBins {
 public:
  explicit OutputOfBins(BinsTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string caption() const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  ValueRange range(const PictureRequest& request) const override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  struct State;  ///< that is painted
  /// What the outputs of a lattice are coloured by, and how large it gets; made where the state is new.
  const float* shown(Queue& queue, const PictureRequest& request, const State& state, unsigned& components);
  float top(ColourBy by) const;
  /// What is asked for, or, where the picture has no such colour, the outputs' own.
  ColourBy colour_of(const PictureRequest& request) const;

  ElementDots dots_{track_};  ///< bodies
  Buffer<std::uint32_t> values_, layers_, most_, weights_;
  Buffer<Rgba> colours_;
  Buffer<float> hits_, output_loads_;  ///< an output each
  Buffer<std::uint64_t> loads_;        ///< a block each
  bool hits_known_ = false;
  std::atomic<bool> no_room_{false};  ///< for them
  std::uint64_t loads_serial_ = 0;    ///< of the state that they are of
  struct Top {
    std::uint64_t serial = 0;  ///< of the state that it is of
    float value = 0;
  };
  mutable std::mutex mutex_;
  std::map<ColourBy, Top> tops_;  ///< under mutex_
};

/// A layer of the image whose spectrum the outputs are, and beside it of what it should be. Made by the thread that
/// steps, where they are looked at.
class ImageOfBins final : public PictureOfBins {
 public:
  explicit ImageOfBins(BinsTrack& track);
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override;
  std::string caption() const override;
  std::uint64_t version(const PictureRequest& request) const override;
  Selection at(Queue*, const PictureRequest&, double, double) override { return {}; }
  std::vector<Outline> marks(const Selected&, const Looking& = {}) const override { return {}; }
  ValueRange range(const PictureRequest& request) const override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  Buffer<std::uint32_t> most_;
  std::uint64_t measured_ = 0;  ///< serial of the image that `top_` is of
  std::atomic<float> top_{0};
};

/// The surface on which outputs have a value, and the one where they have its negative; the mouse picks the output
/// under it. Of applications that tell which value.
class SurfaceOfBins final : public PictureOfBins {
 public:
  explicit SurfaceOfBins(BinsTrack& track);
  ~SurfaceOfBins() override;
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string caption() const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  std::atomic<bool> empty_{false};  ///< nothing was made yet
  SurfaceMarch march_of(const float* out, const PictureRequest& request) const;
  std::unique_ptr<MouseQuestion<SurfaceHit>> question_;
};

/// Blocks in launch order, by the pairs they have to test.
class LoadOfBlocks final : public PictureOfBins {
 public:
  explicit LoadOfBlocks(BinsTrack& track);
  std::uint64_t version(const PictureRequest& request) const override;
  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override;
  std::string caption() const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override;

 private:
  std::uint64_t blocks() const;
  std::uint32_t wide() const;
  Buffer<std::uint64_t> loads_;
  Buffer<std::uint64_t> times_;
  std::uint64_t measured_ = 0, times_serial_ = 0;
  std::atomic<bool> by_time_{false};  ///< it was painted so last
  mutable std::mutex mutex_;
  double most_ = 0, mean_ = 0;  ///< under mutex_
};

}  // namespace warploom
