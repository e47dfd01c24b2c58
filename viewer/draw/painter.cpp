#include "viewer/draw/painter.h"

#include <algorithm>
#include <utility>

#include "gpu/core/stopwatch.h"

namespace warploom {

using Clock = std::chrono::steady_clock;

Painter::Painter(Backend backend, interop::InteropMode mode, bool synchronous)
    : backend_(backend),
      mode_(mode),
      synchronous_(synchronous || backend == Backend::cuda),
      worker_(backend, !synchronous_) {}

bool Painter::Key::same_view(const Key& other) const {
  const auto plain = [](Key key) {
    key.coarse = 1;
    key.request.samples_per_side = 0;
    key.request.solid.rays_per_side = 1;
    return key;
  };
  return plain(*this) == plain(other);
}

Painter::Key Painter::key_of(const Want& want, const Simulation& simulation, Slot& slot) const {
  const Picture& picture = *simulation.track(want.track).pictures()[want.picture];
  slot.shape = picture.info().shape;
  Key key;
  key.simulation = simulation.id();
  key.width = want.place.width;
  key.height = want.place.height;
  key.request = want.request;
  key.version = picture.version(want.request);
  if (slot.shape == PictureInfo::Shape::solid) return solid_key(slot, key);
  if (backend_ == Backend::cuda && picture.info().sampled)
    key.request.samples_per_side = picture.samples_on_device(key.request);
  // Blocks on their way are all looked at.
  if (backend_ == Backend::cpu && picture.info().sampled && !(key.request.solid.morph < 1)) {
    // All cells up to 64 per pixel; while things move, as few as keep the picture near 10 ms.
    int& samples = key.request.samples_per_side;
    const bool same = slot.asked && slot.asked->request.camera == key.request.camera &&
                      slot.asked->version == key.version && slot.asked->simulation == key.simulation;
    if (!same) slot.changed = Clock::now();
    samples = 8;
    if (!synchronous_ && milliseconds_since(slot.changed) < 150)
      for (double cost = slot.cost_ms; samples > 1 && cost > 12; cost /= 4) samples /= 2;
    if (same) samples = std::max(samples, slot.asked->request.samples_per_side);
  }
  return key;
}

Painter::Key Painter::solid_key(Slot& slot, Key key) const {
  int& rays = key.request.solid.rays_per_side;
  if (still || (synchronous_ && backend_ == Backend::cpu)) {
    rays = still ? 2 : 1;
    return key;
  }
  const bool same = slot.asked && slot.asked->same_view(key);
  if (!same) slot.changed = Clock::now();
  const bool resting = milliseconds_since(slot.changed) > 150;
  // While things move: as coarse as keeps the picture near 15 ms, half as fine at most. At rest: every pixel, and on
  // the device four rays each.
  if (backend_ == Backend::cpu)
    key.coarse = resting || slot.cost_ms < 15 ? 1 : 2;
  else
    rays = resting ? 2 : 1;
  if (same && slot.asked->coarse <= key.coarse && slot.asked->request.solid.rays_per_side >= rays) {
    key.coarse = slot.asked->coarse;
    rays = slot.asked->request.solid.rays_per_side;
  }
  return key;
}

PictureJob Painter::job_of(const Want& want, const Key& key, std::shared_ptr<Simulation> simulation) {
  PictureRequest request = key.request;
  request.solid.camera.pixel *= static_cast<float>(key.coarse);
  return {std::move(simulation), id_of(want), request, key.picture_width(), key.picture_height()};
}

double Painter::cells_a_sample(const Key& key) {
  const int samples = key.request.samples_per_side;
  if (samples == 0) return 1;
  const Camera& camera = key.request.camera;
  return std::max(1., camera.cells_per_pixel_x / samples) * std::max(1., camera.cells_per_pixel_y / samples);
}

void Painter::paint(const std::shared_ptr<Simulation>& simulation) {
  window_.check("Painter::paint");
  interop_ms_ = 0;
  if (!simulation) return;
  std::erase_if(wants_, [&](const Want& want) {
    return want.track >= simulation->size() || want.picture >= simulation->track(want.track).pictures().size() ||
           want.place.width < 1 || want.place.height < 1;
  });
  if (synchronous_)
    paint_now(simulation);
  else
    paint_beside(simulation);
}

interop::Surface* Painter::surface_of(Slot& slot, const Key& key) const {
  const int width = key.picture_width(), height = key.picture_height();
  if (!slot.surface || slot.surface->width() != width || slot.surface->height() != height)
    slot.surface.emplace(mode_, width, height, backend_);
  return &*slot.surface;
}

void Painter::paint_now(const std::shared_ptr<Simulation>& simulation) {
  std::vector<interop::Surface*> surfaces;
  std::vector<std::pair<const Want*, Key>> changed;
  for (const Want& want : wants_) {
    Slot& slot = slots_[id_of(want)];
    const Key key = key_of(want, *simulation, slot);
    const bool failed_before = slot.asked == key && !slot.failure.empty();
    slot.asked = key;
    if (slot.shown == key || failed_before) continue;
    surfaces.push_back(surface_of(slot, key));
    changed.emplace_back(&want, key);
  }
  if (surfaces.empty()) return;
  interop::FrameWrite write(surfaces, worker_.stream());
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const auto& [want, key] = changed[i];
    Slot& slot = slots_[id_of(*want)];
    if (key.version == 0) {  // nothing to show yet
      slot.shown.reset();
      continue;
    }
    slot.failure.clear();
    try {
      worker_.paint(job_of(*want, key, simulation), write.target(i));
      slot.sampled = cells_a_sample(key);
      slot.shown = key;
    } catch (const std::exception& error) {  // its pane shows why; all others are painted
      slot.failure = error.what();
      slot.shown.reset();
    }
  }
  write.finish();
  interop_ms_ = write.write_time_ms();
  worker_.collect();
}

void Painter::paint_beside(const std::shared_ptr<Simulation>& simulation) {
  std::vector<interop::Surface*> surfaces;
  std::vector<std::pair<Slot*, std::vector<Rgba>>> arrived;
  for (const Want& want : wants_) {
    Slot& slot = slots_[id_of(want)];
    if (auto picture = worker_.take(id_of(want))) {  // one has arrived since the last frame
      const Key& key = *slot.under_way;
      surfaces.push_back(surface_of(slot, key));
      // What all samples would cost.
      const int samples = key.request.samples_per_side;
      slot.cost_ms = picture->milliseconds * (samples ? 64. / (samples * samples) : 1) * (key.coarse * key.coarse);
      slot.sampled = slot.pending_sampled;
      slot.shown = std::exchange(slot.under_way, std::nullopt);
      slot.failure = picture->failure;
      if (!slot.failure.empty()) slot.shown.reset();
      arrived.emplace_back(&slot, std::move(picture->pixels));
    }
    const Key key = key_of(want, *simulation, slot);
    if (slot.asked == key) continue;
    if (key.version == 0) {
      slot.shown.reset();
      continue;
    }
    // One at a time: what is under way is finished first, then the newest wish is taken.
    if (!slot.under_way) {
      worker_.post(job_of(want, key, simulation));
      slot.pending_sampled = cells_a_sample(key);
      slot.asked = slot.under_way = key;
    }
  }
  if (surfaces.empty()) return;
  interop::FrameWrite write(surfaces, nullptr);
  for (std::size_t i = 0; i < arrived.size(); ++i)
    std::copy(arrived[i].second.begin(), arrived[i].second.end(), write.target(i).pixels);
  write.finish();
  interop_ms_ = write.write_time_ms();
}

bool Painter::all_shown() const {
  return std::all_of(wants_.begin(), wants_.end(), [&](const Want& want) {
    const auto found = slots_.find(id_of(want));
    return found != slots_.end() && found->second.shown && found->second.shown == found->second.asked;
  });
}

bool Painter::unfinished() const {
  return std::any_of(wants_.begin(), wants_.end(), [&](const Want& want) {
    const auto found = slots_.find(id_of(want));
    if (found == slots_.end()) return false;
    const Slot& slot = found->second;
    const bool solid = slot.shape == PictureInfo::Shape::solid;
    const int samples = slot.asked ? slot.asked->request.samples_per_side : 0;
    return slot.under_way || (slot.shown && slot.asked && !(*slot.shown == *slot.asked)) ||
           (slot.asked && backend_ == Backend::cuda && solid && slot.asked->request.solid.rays_per_side < 2) ||
           (slot.asked && ((samples && samples < 8) || slot.asked->coarse > 1));
  });
}

void Painter::present(int framebuffer_height) {
  for (const Want& want : wants_) {
    Slot& slot = slots_[id_of(want)];
    if (!slot.surface || !slot.shown) continue;
    // Where the picture's corner and size lie, seen from the camera of this frame.
    const Camera &now = want.request.camera, &then = slot.shown->request.camera;
    const auto part = [](double now_middle, double now_scale, int now_pixels, double then_middle, double then_scale,
                         int then_pixels) {
      const double size = then_scale * then_pixels;
      return std::pair(static_cast<float>((now_middle - now_scale * now_pixels / 2 - (then_middle - size / 2)) / size),
                       static_cast<float>(now_scale * now_pixels / size));
    };
    const auto [x, width] =
        part(now.x, now.cells_per_pixel_x, want.place.width, then.x, then.cells_per_pixel_x, slot.shown->width);
    const auto [y, height] =
        part(now.y, now.cells_per_pixel_y, want.place.height, then.y, then.cells_per_pixel_y, slot.shown->height);
    // A solid seen from elsewhere cannot be had by moving a picture.
    const bool solid = slot.shape == PictureInfo::Shape::solid;
    const bool same =
        solid || (now == then && slot.shown->width == want.place.width && slot.shown->height == want.place.height);
    presenter_.draw(slot.surface->texture(), want.place, framebuffer_height,
                    same ? gl::PicturePart{} : gl::PicturePart{x, y, width, height}, want.request.palette.ground,
                    slot.shown->coarse > 1 ? gl::Filter::linear : gl::Filter::nearest);
  }
}

}  // namespace warploom
