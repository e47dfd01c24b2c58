#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/tracks/simulation.h"
#include "viewer/draw/picture_worker.h"
#include "viewer/gl/present.h"
#include "viewer/interop/surface.h"

namespace warploom {

/// One picture of a frame: which, of what, where in the framebuffer.
struct Want {
  std::size_t track = 0;
  std::size_t picture = 0;  ///< of the track's list
  gl::Viewport place;
  PictureRequest request;  ///< without its target
};

/// Makes the pictures of a frame by kernels, and shows them. On CUDA they are painted in the frame, into the textures
/// themselves. On the CPU they are painted beside the window, which shows the newest finished picture, moved to where
/// the camera is by now. Without a thread (`synchronous`), every picture is of this frame. All functions are the
/// window's thread's: they need its OpenGL.
class Painter {
 public:
  Painter(Backend backend, interop::InteropMode mode, bool synchronous);

  void begin() { wants_.clear(); }
  void want(const Want& want) { wants_.push_back(want); }
  /// Paints what changed since its last picture.
  void paint(const std::shared_ptr<Simulation>& simulation);
  /// Draws all pictures into the bound framebuffer.
  void present(int framebuffer_height);

  /// Cells per pixel of the picture shown, over the cells it sampled; 1: all.
  double sampled(std::size_t track, std::size_t picture) const {
    const auto slot = slots_.find({track, picture});
    return slot == slots_.end() ? 1 : slot->second.sampled;
  }
  /// Why a picture could not be painted; null: it could. It is tried again when anything about it changes.
  const std::string* failure(std::size_t track, std::size_t picture) const {
    const auto slot = slots_.find({track, picture});
    return slot == slots_.end() || slot->second.failure.empty() ? nullptr : &slot->second.failure;
  }
  /// Every picture of this frame is there as it was asked for.
  bool all_shown() const;
  /// A better picture is under way: draw another frame soon.
  bool unfinished() const;
  double interop_ms() const { return interop_ms_; }
  /// The next pictures of solids take four rays per pixel, for a picture that is kept.
  bool still = false;
  /// Called from the thread that paints when a picture is finished. Set before the first frame.
  void set_on_change(std::function<void()> wake) { worker_.on_change = std::move(wake); }

 private:
  struct Key {
    std::uint64_t simulation = 0;  ///< its id: an address may be taken again
    std::uint64_t version = 0;
    int width = 0, height = 0;
    int coarse = 1;  ///< solids: pixels of the screen per side of a pixel of the picture
    PictureRequest request;
    friend bool operator==(const Key&, const Key&) = default;
    int picture_width() const { return (width + coarse - 1) / coarse; }
    int picture_height() const { return (height + coarse - 1) / coarse; }
    /// What is seen, however fine.
    bool same_view(const Key& other) const;
  };
  struct Slot {
    std::optional<interop::Surface> surface;
    std::optional<Key> shown, asked;
    std::optional<Key> under_way;  ///< posted to the worker, not arrived yet
    std::string failure;           ///< why what was asked last is not shown
    PictureInfo::Shape shape = PictureInfo::Shape::plane;
    double cost_ms = 0, sampled = 1, pending_sampled = 1;
    std::chrono::steady_clock::time_point changed;
  };
  static PictureId id_of(const Want& want) { return {want.track, want.picture}; }
  Key key_of(const Want& want, const Simulation& simulation, Slot& slot) const;
  Key solid_key(Slot& slot, Key key) const;
  static PictureJob job_of(const Want& want, const Key& key, std::shared_ptr<Simulation> simulation);
  /// Cells per sample of the picture.
  static double cells_a_sample(const Key& key);
  /// Its surface, of the size of a picture.
  interop::Surface* surface_of(Slot& slot, const Key& key) const;
  void paint_now(const std::shared_ptr<Simulation>& simulation);
  void paint_beside(const std::shared_ptr<Simulation>& simulation);

  Backend backend_;
  interop::InteropMode mode_;
  bool synchronous_;
  PictureWorker worker_;
  ThreadOwner window_;
  gl::Presenter presenter_;
  std::map<PictureId, Slot> slots_;
  std::vector<Want> wants_;
  double interop_ms_ = 0;
};

}  // namespace warploom
