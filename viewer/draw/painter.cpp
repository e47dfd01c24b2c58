#include "viewer/draw/painter.h"
#include "gpu/tracks/facets/counted.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warploom {

using Clock = std::chrono::steady_clock;

namespace {

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

Painter::Painter(Backend backend, interop::Rung rung, bool synchronous)
    : backend_(backend),
      rung_(rung),
      synchronous_(synchronous || backend == Backend::cuda),
      worker_(backend, !synchronous_) {}

Painter::Key Painter::key_of(const Want& want, const Simulation& simulation, Slot& slot) const {
  Key key;
  key.simulation = simulation.id();
  key.width = want.place.width;
  key.height = want.place.height;
  key.camera = want.camera;
  key.solid = want.solid;
  key.palette = want.palette;
  key.colour_by = want.colour_by;
  const Track& track = simulation.track(want.track);
  // The launch grid and colours by owner do not change with the state; a count that arrives is another version of all:
  // it brings the tables that colours by launch order and waste are read from.
  key.version =
      2 * (want.grid || want.colour_by != ColourBy::state ? 0 : simulation.version()) + counts_of(track).has_value();
  if (track.solid()) return solid_key(slot, key);
  if (backend_ == Backend::cpu && !want.grid) {
    // All cells up to 64 a pixel; while things move, as few as keep the picture near 10 ms.
    const bool same = slot.asked && slot.asked->camera == key.camera && slot.asked->version == key.version &&
                      slot.asked->simulation == key.simulation;
    if (!same) slot.changed = Clock::now();
    key.samples = 8;
    if (!synchronous_ && milliseconds_since(slot.changed) < 150)
      for (double cost = slot.cost_ms; key.samples > 1 && cost > 12; cost /= 4) key.samples /= 2;
    if (same && slot.asked->samples >= key.samples) key.samples = slot.asked->samples;
  }
  return key;
}

Painter::Key Painter::solid_key(Slot& slot, Key key) const {
  if (still || (synchronous_ && backend_ == Backend::cpu)) {
    key.solid.rays_per_side = still ? 2 : 1;
    return key;
  }
  const bool same = slot.asked && slot.asked->solid_without_rays() == key.solid && slot.asked->version == key.version &&
                    slot.asked->width == key.width && slot.asked->height == key.height &&
                    slot.asked->simulation == key.simulation && slot.asked->palette == key.palette;
  if (!same) slot.changed = Clock::now();
  const bool resting = milliseconds_since(slot.changed) > 150;
  // While things move: as coarse as keeps the picture near 15 ms, half as fine at most. At rest: every pixel, and on
  // the device four rays each.
  if (backend_ == Backend::cpu)
    key.coarse = resting || slot.cost_ms < 15 ? 1 : 2;
  else
    key.solid.rays_per_side = resting ? 2 : 1;
  if (same && slot.asked->coarse <= key.coarse && slot.asked->solid.rays_per_side >= key.solid.rays_per_side) {
    key.coarse = slot.asked->coarse;
    key.solid.rays_per_side = slot.asked->solid.rays_per_side;
  }
  return key;
}

PictureJob Painter::job_of(const Want& want, const Key& key, std::shared_ptr<Simulation> simulation) {
  PictureRequest request{want.camera, {}, want.palette, want.colour_by, key.samples, key.solid};
  request.solid.camera.pixel *= static_cast<float>(key.coarse);
  return {std::move(simulation), want.track, want.grid, request, key.picture_width(), key.picture_height()};
}

double Painter::cells_a_sample(const Want& want, const Key& key) {
  if (want.grid || key.samples == 0 || want.is_solid) return 1;
  const double across = want.camera.cells_per_pixel_x, down = want.camera.cells_per_pixel_y;
  return std::max(1., across / key.samples) * std::max(1., down / key.samples);
}

void Painter::paint(const std::shared_ptr<Simulation>& simulation) {
  window_.check("Painter::paint");
  interop_ms_ = 0;
  if (!simulation) return;
  std::erase_if(wants_, [&](const Want& want) {
    return want.track >= simulation->size() || want.place.width < 1 || want.place.height < 1;
  });
  if (synchronous_)
    paint_now(simulation);
  else
    paint_beside(simulation);
}

void Painter::paint_now(const std::shared_ptr<Simulation>& simulation) {
  std::vector<interop::Surface*> surfaces;
  std::vector<std::pair<const Want*, Key>> changed;
  for (const Want& want : wants_) {
    Slot& slot = slots_[slot_of(want)];
    const Key key = key_of(want, *simulation, slot);
    slot.asked = key;
    if (slot.shown == key) continue;
    if (!slot.surface || slot.surface->width() != key.picture_width() || slot.surface->height() != key.picture_height())
      slot.surface.emplace(rung_, key.picture_width(), key.picture_height(), backend_);
    surfaces.push_back(&*slot.surface);
    changed.emplace_back(&want, key);
  }
  if (surfaces.empty()) return;
  interop::FrameWrite write(surfaces, worker_.stream());
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const auto& [want, key] = changed[i];
    if (want->grid && !counts_of(simulation->track(want->track))) {  // nothing to show before it is counted
      slots_[slot_of(*want)].shown.reset();
      continue;
    }
    worker_.paint(job_of(*want, key, simulation), write.target(i));
    slots_[slot_of(*want)].sampled = cells_a_sample(*want, key);
    slots_[slot_of(*want)].shown = key;
  }
  write.finish();
  interop_ms_ = write.write_time_ms();
  worker_.collect();
}

void Painter::paint_beside(const std::shared_ptr<Simulation>& simulation) {
  std::vector<interop::Surface*> surfaces;
  std::vector<std::pair<Slot*, std::vector<Rgba>>> arrived;
  for (const Want& want : wants_) {
    const std::size_t index = slot_of(want);
    Slot& slot = slots_[index];
    if (auto picture = worker_.take(index)) {  // one has arrived since the last frame
      const Key& key = *slot.under_way;
      if (!slot.surface || slot.surface->width() != key.picture_width() ||
          slot.surface->height() != key.picture_height())
        slot.surface.emplace(rung_, key.picture_width(), key.picture_height(), backend_);
      // What all samples would cost.
      slot.cost_ms =
          picture->milliseconds * (key.samples ? 64. / (key.samples * key.samples) : 1) * (key.coarse * key.coarse);
      slot.sampled = slot.pending_sampled;
      slot.shown = std::exchange(slot.under_way, std::nullopt);
      surfaces.push_back(&*slot.surface);
      arrived.emplace_back(&slot, std::move(picture->pixels));
    }
    const Key key = key_of(want, *simulation, slot);
    if (slot.asked == key) continue;
    if (want.grid && !counts_of(simulation->track(want.track))) {
      slot.shown.reset();
      continue;
    }
    // One at a time: what is under way is finished first, then the newest wish is taken.
    if (!slot.under_way) {
      worker_.post(index, job_of(want, key, simulation));
      slot.pending_sampled = cells_a_sample(want, key);
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

bool Painter::unfinished() const {
  return std::any_of(wants_.begin(), wants_.end(), [&](const Want& want) {
    const Slot& slot = slots_[slot_of(want)];
    return slot.under_way || (slot.shown && slot.asked && !(*slot.shown == *slot.asked)) ||
           (slot.asked && backend_ == Backend::cuda && want.is_solid && slot.asked->solid.rays_per_side < 2) ||
           (slot.asked && ((slot.asked->samples && slot.asked->samples < 8) || slot.asked->coarse > 1));
  });
}

void Painter::present(int framebuffer_height) {
  for (const Want& want : wants_) {
    Slot& slot = slots_[slot_of(want)];
    if (!slot.surface || !slot.shown) continue;
    // Where the picture's corner and size lie, seen from the camera of this frame.
    const Camera &now = want.camera, &then = slot.shown->camera;
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
    const bool solid = want.is_solid;
    const bool same =
        solid || (now == then && slot.shown->width == want.place.width && slot.shown->height == want.place.height);
    presenter_.draw(slot.surface->texture(), want.place, framebuffer_height,
                    same ? gl::PicturePart{} : gl::PicturePart{x, y, width, height}, want.palette.ground,
                    slot.shown->coarse > 1 ? gl::Filter::linear : gl::Filter::nearest);
  }
}

}  // namespace warploom
