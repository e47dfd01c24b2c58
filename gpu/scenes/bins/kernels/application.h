#pragma once
#include "gpu/core/macros.h"
#include "gpu/core/types.h"
#include "gpu/scenes/bins/kernels/inputs.h"
#include "gpu/scenes/bins/kernels/space.h"

// What an application says of itself
// ----------------------------------
// An application is a small value, one header in applications/ and one line in list.h:
//
//   static constexpr BinApplicationInfo info
//   static std::optional<BinInput> recipe(const BinSettings&)    what `input` names, or counts; none: it must be a file
//   static constexpr ElementFiles files                      what files it takes
//   static void complete(const BinSettings&, BinInput&)      optional: what a file does not say
//   static BinSpace space(const BinSettings&, const BinInput&)   where bins and outputs lie; throws UsageError
//   Application(const BinSettings&, const BinSpace&)         what its term needs, rounded to float
//   float square_reach(const float* element) const           square of the distance that the element reaches
//   void add(const float* element, Offset to, float* sums, float* sizes) const
//                                                            adds the element's term to `components` sums, and its
//                                                            magnitude to as many sizes
//   static constexpr float excluded_radius                   optional: outputs with an element so near are set to 0 in
//                                                            the end, whatever `add` made of it; its sizes leave it out
//   static constexpr bool ends_in_nothing                    optional, true: `add` adds 0 for elements out of reach, so
//                                                            that a device need not branch around it
//   static double kernel_transform(double cutoff, double frequency)
//                                                            optional: outputs are the spectrum of an image, spread by
//                                                            a round kernel of this transform; see image.cu
namespace warploom {

struct BinApplicationInfo {
  const char *key, *title, *description, *citation;
  unsigned width;              ///< floats an element
  unsigned components;         ///< floats an output
  bool periodic;               ///< outputs are the elements themselves, in a periodic box; else a lattice
  const char* fourth;          ///< what the fourth float of an element is
  const char* unit = "";       ///< of an output
  bool signed_output = false;  ///< outputs may be below 0
  const char* usual_tracks = "regular/count,compact/range";  ///< that a scene shows first
  double surface = 0;             ///< an output that makes a surface worth looking at; 0: none
  const char* no_tile = nullptr;  ///< why no shared memory holds all outputs that a bin's elements reach; null: it may
  const char* output = "output";  ///< what an output is, in words
};

/// What files an application takes beside its recipes' names.
struct ElementFiles {
  const char* names;         ///< of the recipes, in words: "demo, small, large"
  std::uint64_t columns[3];  ///< of .npy; 0: no more
  bool atoms;                ///< takes molecules: .pdb, .pqr, .xyz
  bool samples;              ///< of a trajectory: kx ky kz re im, and a weight
  double missing = 0;        ///< the fourth value where a file has none
  bool radii = false;        ///< the fourth value is a radius, above 0
};

/// From an output to an element, nearest image, and its square.
struct Offset {
  float x, y, z, square;
};

/// A distance along an axis of a periodic box, by its nearest image. Without a branch: several at once on the CPU.
WARPLOOM_HD float nearest_image(float distance, float length) {
  const float half = length / 2, below = distance - (distance > half ? length : 0);
  return below + (below < -half ? length : 0);
}

/// Between two places of a periodic box, by its nearest image. `Square`: how distances are rounded. Axis by axis: a
/// loop over them would go through memory on the CPU.
template <class Square = SquareHere>
WARPLOOM_HD Offset nearest_offset(const BinGrid& grid, const float* from, const float* to) {
  const float x = nearest_image(to[0] - from[0], grid.length[0]), y = nearest_image(to[1] - from[1], grid.length[1]),
              z = nearest_image(to[2] - from[2], grid.length[2]);
  return {x, y, z, Square()(x, y, z)};
}

/// Of applications whose elements all reach as far.
struct OneCutoff {
  float square_cutoff, per_square;
  explicit OneCutoff(const BinSpace& space)
      : square_cutoff(space.cutoff * space.cutoff), per_square(1 / square_cutoff) {}
  WARPLOOM_HD float square_reach(const float*) const { return square_cutoff; }
};

}  // namespace warploom
