#pragma once
#include <optional>

#include "gpu/core/answer.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/pictures/pixel_tiles.h"
#include "gpu/pictures/volume.h"
#include "gpu/pictures/wrong_cells.h"

namespace warploom {

/// Where on an axis a ray enters a cube from `low` to `low + side` there, 0..1.
WARPLOOM_HD float place_in_cube(const Ray& ray, const CubeHit& hit, int axis, float low, float side) {
  const float at = (ray.origin[axis] - low + hit.depth * ray.direction[axis]) / side;
  return hit.axis == axis ? (ray.direction[axis] > 0 ? 0.f : 1.f) : !(at > 0) ? 0.f : at < 1 ? at : 1.f;
}

/// How a voxel is drawn. A wasted one is hollow: a quiet hatch and its edges; its colour is not used.
struct VoxelLook {
  Rgba colour = 0;
  bool waste = false;
  bool marked = false;        ///< red: what the pointer is on, or where the seal broke
  bool dim = false;           ///< a wasted one that is still to come: only just seen
  Wrong wrong = Wrong::none;  ///< strokes over it, where it is large enough
};

/// The colours and lines of a cube, the same for voxels of a lattice and for blocks on the move.
struct CubeShading {
  static constexpr Rgba red = rgba(229, 72, 77);
  RayCamera camera;

  /// The light comes over the onlooker's left shoulder. Half of it goes round corners (half-Lambert), so that the three
  /// faces one sees of a cube are three different tones and none is black; a bias an axis keeps two faces apart that
  /// the light would make equal.
  WARPLOOM_HD float brightness(const Ray& ray, int axis) const {
    if (axis == CubeHit::no_face) return .8f;
    const float facing = component(ray.direction, axis) > 0 ? -1.f : 1.f;
    return tone(facing * component(camera.right, axis), facing * component(camera.down, axis),
                facing * component(camera.forward, axis)) +
           .03f * static_cast<float>(axis - 1);
  }

  /// Of a surface whose steps are too small to see: by its normal as a whole.
  WARPLOOM_HD float brightness(const float (&normal)[3]) const {
    float right = 0, down = 0, forward = 0, bias = 0, square = 0;
    for (int a = 0; a < 3; ++a) {
      right += normal[a] * camera.right[a], down += normal[a] * camera.down[a],
          forward += normal[a] * camera.forward[a];
      square += normal[a] * normal[a], bias += normal[a] * normal[a] * static_cast<float>(a - 1);
    }
    const float unit = 1 / sqrtf(square);
    return tone(right * unit, down * unit, forward * unit) + .03f * bias / square;
  }

  /// Where nothing is known of the neighbours: small cubes go over to the mean of the three faces one would see of
  /// them.
  WARPLOOM_HD float brightness_of_small(const Ray& ray, const CubeHit& hit, float side) const {
    const float face = brightness(ray, hit.axis), share = .8f * smooth_share(side / (hit.depth * camera.pixel));
    if (!(share > 0)) return face;
    float sum = 0, weight = 0;
    for (int a = 0; a < 3; ++a) {
      sum += fabsf(ray.direction[a]) * brightness(ray, a);
      weight += fabsf(ray.direction[a]);
    }
    return face + (sum / weight - face) * share;
  }

  /// One ray a pixel cannot draw steps of less than three pixels: it hits now one side of them, now the other, and the
  /// picture turns to moire. By how much a tone without steps takes over.
  WARPLOOM_HD static float smooth_share(float pixels) {
    constexpr float sharp = 3, smooth = 1.5f;
    return !(pixels < sharp) ? 0 : pixels < smooth ? 1 : (sharp - pixels) / (sharp - smooth);
  }

  /// How much of an edge line lies on the pixel, 0..1. A line is about a pixel wide whatever the distance and the slant
  /// of the face, and fades out before the faces are too small to carry it. `place` is in the cube, 0..1 an axis.
  WARPLOOM_HD float line(const Ray& ray, const CubeHit& hit, const float (&place)[3], float side) const {
    if (hit.axis == CubeHit::no_face) return 0;
    const float step = camera.pixel * hit.depth / side;  // a pixel on a face seen head-on, in cube sides
    const float slant = component(ray.inverse, hit.axis), right = component(camera.right, hit.axis) * slant,
                down = component(camera.down, hit.axis) * slant;
    float most = 0;
    for (int a = 0; a < 3; ++a) {
      if (a == hit.axis) continue;
      const float along_x = step * (camera.right[a] - right * ray.direction[a]),
                  along_y = step * (camera.down[a] - down * ray.direction[a]);
      const float pixels = 1 / sqrtf(along_x * along_x + along_y * along_y + 1e-20f);  // of a whole side
      const float apart = (place[a] < .5f ? place[a] : 1 - place[a]) * pixels;
      const float fade = (pixels - 5) * .2f;
      const float cover = (apart < .25f ? 1 : 1.25f - apart) * (fade < 1 ? fade : 1);
      if (fade > 0 && cover > most) most = cover;
    }
    return most;
  }

  /// A solid cube's face.
  WARPLOOM_HD static Rgba face(const VoxelLook& look, float brightness, float line) {
    const Rgba colour = look.marked ? mix(look.colour, red, .8f) : look.colour;
    return mix(scaled(colour, brightness), scaled(look.marked ? red : colour, look.marked ? 1.15f : brightness * .42f),
               line * (look.marked ? 1.f : .8f));
  }

  /// What lies behind a wasted cube, seen through its hatch and edges; a marked one's are red.
  WARPLOOM_HD static Rgba veiled(Rgba behind, Rgba hatch, const VoxelLook& look, int x, int y, float brightness,
                                 float line) {
    const float strokes = hatched(x, y) ? .25f + .5f * brightness : 0, edge = .8f * line;
    return mix(behind, look.marked ? red : hatch, (strokes > edge ? strokes : edge) * (look.dim ? .3f : 1.f));
  }

  /// The hatch of the screen: two pixels of six on a diagonal.
  WARPLOOM_HD static bool hatched(int x, int y) { return (x + y) % 6 < 2; }

  WARPLOOM_HD static Rgba scaled(Rgba colour, float by) {
    const auto channel = [&](int shift) {
      const float value = static_cast<float>(colour >> shift & 255) * by + .5f;
      return static_cast<unsigned>(value < 255 ? value : 255);
    };
    return rgba(channel(0), channel(8), channel(16));
  }

 private:
  /// Of a normal in the camera's frame.
  WARPLOOM_HD static float tone(float right, float down, float forward) {
    const float light = -.48f * right - .74f * down - .47f * forward;
    return .73f + .34f * light;
  }
};

/// A volume for the screen: every pixel's nearest visible voxel, shaded; wasted voxels are a veil over what lies
/// behind. Launched with SolidTiles. `samples_per_side` squared rays a pixel: 1 while things move, 2 or 3 for a still
/// picture.
template <class Look>
struct VolumePicture {
  Occupancy occupancy;
  Look look;  ///< VoxelLook operator()(Index3 voxel) const
  VolumeView view;
  PixelTarget target;
  Palette palette;
  /// The voxels of `occupancy` that are not waste; where set, a ray that has seen enough waste asks about no more of
  /// it.
  Occupancy useful = {};
  int samples_per_side = 1;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    SolidTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD Rgba pixel(int x, int y) const {
    if (samples_per_side <= 1) return sample(static_cast<float>(x), static_cast<float>(y), x, y);
    return mean_of_samples(samples_per_side, x, y, [&](float at_x, float at_y) { return sample(at_x, at_y, x, y); });
  }

  /// What a ray met; nothing where depth is `never`.
  struct Met {
    static constexpr float never = INFINITY;
    Index3 voxel;
    CubeHit hit{never, CubeHit::no_face};
  };

  /// The march only notes the nearest wasted voxel and the nearest useful one; the shading after it finds the tracks of
  /// a warp together again, and the march's registers free.
  WARPLOOM_HD Rgba sample(float at_x, float at_y, int x, int y) const {
    const Ray ray(view.camera, target.width, target.height, at_x, at_y);
    Met hollow, solid;
    march(occupancy, useful, view, ray, [&](Index3 voxel, const CubeHit& hit) {
      if (useful.words ? useful.has(voxel) : !look(voxel).waste) {
        solid = {voxel, hit};
        return MarchOn::stop;
      }
      // Waste behind waste is not drawn: it would be a thicket.
      if (hollow.hit.depth == Met::never) hollow = {voxel, hit};
      return MarchOn::hiding_only;
    });
    Rgba colour = palette.ground;
    const CubeShading shading{view.camera};
    float brightness, line;
    if (solid.hit.depth < Met::never) {
      shade(shading, ray, solid, brightness, line);
      const VoxelLook seen = look(solid.voxel);
      colour = CubeShading::face(seen, smoothed(shading, solid.voxel, solid.hit, brightness), line);
      if (WrongCells::on_stroke(seen.wrong, x, y, view.fill / (solid.hit.depth * view.camera.pixel)))
        colour = WrongCells::stroke(colour, palette.ground);
    }
    if (hollow.hit.depth < Met::never) {
      shade(shading, ray, hollow, brightness, line);
      colour = CubeShading::veiled(colour, palette.hatch, look(hollow.voxel), x, y, brightness, line);
    }
    return colour;
  }

  WARPLOOM_HD void shade(const CubeShading& shading, const Ray& ray, const Met& met, float& brightness,
                         float& line) const {
    float place[3];
    place_in_voxel(occupancy.extent, view.fill, ray, met.voxel, met.hit, place);
    brightness = shading.brightness(ray, met.hit.axis);
    line = shading.line(ray, met.hit, place, view.fill);
  }

  /// The tone of a voxel: of its face, or, where steps are too small to draw, of the slope, by three neighbours each
  /// way.
  WARPLOOM_HD float smoothed(const CubeShading& shading, Index3 voxel, const CubeHit& hit, float face) const {
    const float share = CubeShading::smooth_share(view.fill / (hit.depth * view.camera.pixel));
    if (share == 0 || hit.axis == CubeHit::no_face) return face;
    const Occupancy& solid = useful.words ? useful : occupancy;
    const auto has = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {  // below 0 is far above the extent
      return x >= view.low.x && y >= view.low.y && z >= view.low.z && x < view.high.x && y < view.high.y &&
                     z < view.high.z && x < solid.extent.x && y < solid.extent.y && z < solid.extent.z &&
                     solid.has({x, y, z})
                 ? 1
                 : 0;
    };
    int normal[3] = {0, 0, 0};
    for (std::uint32_t i = 1; i <= 3; ++i) {
      normal[0] += has(voxel.x - i, voxel.y, voxel.z) - has(voxel.x + i, voxel.y, voxel.z);
      normal[1] += has(voxel.x, voxel.y - i, voxel.z) - has(voxel.x, voxel.y + i, voxel.z);
      normal[2] += has(voxel.x, voxel.y, voxel.z - i) - has(voxel.x, voxel.y, voxel.z + i);
    }
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0) return face;
    const float slope[3] = {static_cast<float>(normal[0]), static_cast<float>(normal[1]),
                            static_cast<float>(normal[2])};
    return face + (shading.brightness(slope) - face) * share;
  }

 public:
  /// Where in its cube a ray enters a voxel, 0..1 an axis.
  WARPLOOM_HD static void place_in_voxel(Index3 extent, float fill, const Ray& ray, Index3 voxel, const CubeHit& hit,
                                         float (&place)[3]) {
    const std::uint32_t corner[3] = {voxel.x, voxel.y, voxel.z}, size[3] = {extent.x, extent.y, extent.z};
    for (int a = 0; a < 3; ++a) {
      const float low = static_cast<float>(corner[a]) - .5f * static_cast<float>(size[a]) + (.5f - .5f * fill);
      place[a] = place_in_cube(ray, hit, a, low, fill);
    }
  }
};

/// What a ray found; plain memory, written by the backend.
struct PickedVoxel {
  std::uint32_t hit = 0;
  Index3 voxel;
  float place[3] = {};    ///< of the entry in the voxel's cube, 0..1 an axis
  float distance = 0;     ///< from the eye, in voxels
  std::int32_t axis = 0;  ///< of the face, 0 to 2; CubeHit::no_face where the eye is in the cube
};

/// The same march as the picture's, for one pixel; launched with one thread.
template <class Look>
struct PickVoxel {
  Occupancy occupancy;
  Look look;
  VolumeView view;
  int width, height;
  float x, y;       ///< the pixel: whole numbers are its middle
  bool pick_waste;  ///< whether a wasted voxel counts
  PickedVoxel* result;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread&) {
      const Ray ray(view.camera, width, height, x, y);
      PickedVoxel found;
      march(occupancy, Occupancy{}, view, ray, [&](Index3 voxel, const CubeHit& hit) {
        if (!pick_waste && look(voxel).waste) return MarchOn::further;
        found.hit = 1;
        found.voxel = voxel;
        found.distance = hit.depth * ray.length();
        found.axis = hit.axis;
        VolumePicture<Look>::place_in_voxel(occupancy.extent, view.fill, ray, voxel, hit, found.place);
        return MarchOn::stop;
      });
      *result = found;
    });
  }
};

/// Asks what lies under a pixel. All its questions go through one queue.
class VoxelPicker {
 public:
  explicit VoxelPicker(Backend backend) : answer_(backend) {}

  /// Does not wait. x and y as in PickVoxel: pixel (floor(mouse x), floor(mouse y)).
  template <class Look>
  void ask(Queue& queue, const Occupancy& occupancy, const VolumeView& view, int width, int height, float x, float y,
           const Look& look, bool pick_waste = false) {
    if (volume(occupancy.extent) == 0) {
      (void)answer_.get();  // of the question before, which would be written over this
      *answer_.data() = {};
      return;
    }
    launch("volume.pick", queue, {{1, 1, 1}, {1, 1, 1}},
           PickVoxel<Look>{occupancy, look, view, width, height, x, y, pick_waste, answer_.data()});
    answer_.asked(queue);
  }
  /// Whether the last question is answered; does not wait.
  bool answered() const { return answer_.there(); }
  /// Waits for the answer to the last question.
  std::optional<PickedVoxel> answer() const {
    const PickedVoxel found = answer_.get();
    return found.hit ? std::optional(found) : std::nullopt;
  }
  /// What `queue` launches from now on starts after the last question is answered: of who changes the occupancy.
  void hold(Queue& queue) const { answer_.hold(queue); }

 private:
  Answer<PickedVoxel> answer_;
};

template <class Look>
std::optional<PickedVoxel> pick_voxel(Queue& queue, const Occupancy& occupancy, const VolumeView& view, int width,
                                      int height, float x, float y, const Look& look, bool pick_waste = false) {
  VoxelPicker picker(queue.backend());
  picker.ask(queue, occupancy, view, width, height, x, y, look, pick_waste);
  return picker.answer();
}

}  // namespace warploom
