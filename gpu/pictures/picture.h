#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/pictures/selection.h"

namespace warploom {

/// An index as a place in a picture.
inline std::array<double, 3> real(Index3 at) { return {double(at.x), double(at.y), double(at.z)}; }

/// What a picture is, before anything is painted.
struct PictureInfo {
  enum class Shape { plane, solid } shape = Shape::plane;
  std::string key, title;  ///< "data", "Data space"
  std::string space;       ///< what a place of it is: Selection::cell, Selection::thread, or a scene's own
  std::string also = {};   ///< what else lies under the mouse where places are large; empty: nothing
  double tall = 1;         ///< a place is drawn so many times as tall as wide
  bool fills = false;      ///< ... or so that the whole fills its pane
  std::vector<ColourBy> colours;
  bool sampled = false;  ///< on the CPU a pixel may look at some of its places only
  bool morphs = false;   ///< its blocks may be on their way from where they are launched
  bool focuses = false;  ///< a selection of its spaces is painted apart: what belongs to it, and the rest fades
  bool draws = false;    ///< the scene's input can be drawn in it by hand (`drawn`)
  bool flows = false;    ///< values run through it from left to right: after a step a light does
  bool sliced = false;   ///< a plane may cut it; of planes: it shows what lies there in place of all
  // Of solids.
  bool z_up = false;    ///< the third axis points up, else down
  bool framed = false;  ///< its box is drawn
};

/// An outline over a picture, in its own units.
struct Outline {
  enum class Kind { block, place, waste, word } kind = Kind::block;  ///< word: nothing but that is drawn
  std::array<double, 3> low{}, high{};
  double least_pixels = 0;  ///< not drawn where a place of the picture is smaller on screen
  std::string word = {};    ///< said beside it
};

/// Words in a box of a picture, in its own units; from long to short: the first that has room is written, or none is.
/// Labels of a row are of one length; of three or more that have no room every k-th is written.
struct PictureLabel {
  std::array<double, 2> low{}, high{};
  std::vector<std::string> words;
  int row = 0;
  int line = 0;          ///< 0: in its box; else, however high that is, as this line of text below `low`, or above it
  bool at_left = false;  ///< begins there; else it is in the middle
};

/// What the ends of a picture's colours stand for, with their unit; `two`: there are two colours and none between.
struct Legend {
  std::string low, high;
  bool two = false;
  float first = 0;  ///< where on the palette the low end is
};

/// One picture of a track. A track has a list of them; what shows and paints them knows no more than this.
class Picture {
 public:
  virtual ~Picture() = default;

  // ---- the window's thread ----------------------------------------------------------------------------------------
  const PictureInfo& info() const { return info_; }
  /// Its sides, in its own units: places of a plane, blocks of a solid.
  virtual std::array<double, 3> extent(const Looking& looking = {}) const = 0;
  /// Its title where it is not the track's own; empty: that.
  virtual std::string heading() const { return {}; }
  /// A few words on what it shows, of the moment.
  virtual std::string caption() const = 0;
  /// Changes whenever another picture would come of the same request; it alone knows what it depends on. 0: there is
  /// nothing to show yet.
  virtual std::uint64_t version(const PictureRequest& request) const = 0;
  /// How far its blocks are on their way where `morph` is asked for (SolidView): 1 where they cannot be.
  virtual double on_its_way(double morph) const { return info_.morphs ? morph : 1; }
  /// What lies under a pixel of `request`, x and y in pixels from its corner; an empty selection: nothing. Solids ask
  /// by a kernel: in `queue`, the window's own; null: they are not asked.
  virtual Selection at(Queue* queue, const PictureRequest& request, double x, double y) = 0;
  /// The outlines of a selection here, of any space, in the order to draw them; of blocks on their way those of blocks
  /// alone.
  virtual std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const = 0;
  /// Of a pixel where input can be drawn: the place along it, 0..1, and the value that is meant, -1..1.
  virtual std::optional<std::array<double, 2>> drawn(const PictureRequest&, double /*x*/, double /*y*/) const {
    return std::nullopt;
  }
  /// The input as it is now, evenly; empty: not known.
  virtual std::vector<double> drawable_input() const { return {}; }
  /// Words that belong to it, whatever is selected.
  virtual std::vector<PictureLabel> labels(const PictureRequest&) const { return {}; }
  /// Values of a small box of its places, row-major; not a number where there is none. Empty: it has no values to show.
  virtual std::vector<float> values(Queue&, Index3 /*first*/, Index3 /*size*/) { return {}; }
  /// The values that the palette's ends stand for, of what `request` colours by; empty: they are always the same.
  virtual ValueRange range(const PictureRequest& /*request*/) const { return {}; }
  /// A value as the palette has it, 0..1, over a range or, of an empty one, over its own.
  virtual float shade(float value, const ValueRange&) const { return value; }
  /// Of what is coloured as `request` asks; empty words: nothing to tell.
  virtual Legend legend(const PictureRequest&) const { return {}; }

  /// Cells along a pixel's side that a device samples at most where `sampled`, because all would be too many for a
  /// window that must not wait; 0: all of them.
  virtual int samples_on_device(const PictureRequest&) const { return 0; }

  // ---- the thread that paints -------------------------------------------------------------------------------------
  virtual void paint(Queue& queue, const PictureRequest& request) = 0;

 protected:
  explicit Picture(PictureInfo info) : info_(std::move(info)) {}

 private:
  PictureInfo info_;
};

}  // namespace warploom
