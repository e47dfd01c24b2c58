#include "viewer/app/picture_page.h"

#include <utility>

#include "gpu/core/files.h"
#include "gpu/files/input.h"
#include "viewer/app/app.h"
#include "viewer/base/paths.h"
#include "viewer/base/png.h"
#include "viewer/gl/state.h"
#include "viewer/panels/page.h"
#include "viewer/ui/svg.h"

namespace warploom {
namespace {

constexpr float page_scale = 2;  // for print, and for screens of twice the pixels

/// An ImGui context that is current while this lives.
class CurrentContext {
 public:
  explicit CurrentContext(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext() { ImGui::SetCurrentContext(before_); }

 private:
  ImGuiContext* before_;
};

/// A rectangle of a picture.
PngImage cut(const std::vector<Rgba>& pixels, int width, const gl::Viewport& part) {
  PngImage image{part.width, part.height, {}, {}};
  for (int y = 0; y < part.height; ++y) {
    const auto row = pixels.begin() + std::ptrdiff_t{part.y + y} * width + part.x;
    image.pixels.insert(image.pixels.end(), row, row + part.width);
  }
  for (Rgba& pixel : image.pixels) pixel |= 0xff000000u;
  return image;
}

bool is_svg(const PictureWish& wish) { return extension_of(wish.file) == ".svg"; }

}  // namespace

PicturePage::PicturePage(Model& model, PanelState& state, interop::InteropMode mode, Queue& questions, PictureWish wish,
                         gl::Size size, bool synchronous)
    : model_(model),
      state_(state),
      questions_(questions),
      wish_(std::move(wish)),
      size_(size),
      synchronous_(synchronous),
      painter_(model.runner().backend(), mode, synchronous) {
  painter_.still = true;
  ui_.theme = &page_theme(wish_.theme);
  ui_.scale = page_scale;
  ui::apply(*ui_.theme, page_scale);
  if (is_svg(wish_)) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLines = style.AntiAliasedLinesUseTex = style.AntiAliasedFill = false;
  }
  fonts_ = ui::load_fonts(page_scale, (data_folder() / "fonts").string());
  ImGui::GetIO().FontDefault = fonts_.body;
  ui_.fonts = &fonts_;
  ImGui::SetCurrentContext(before_);
}

PicturePage::~PicturePage() { ImGui::SetCurrentContext(context_); }  // the renderer makes the one before it current

bool PicturePage::draw() {
  const CurrentContext current(context_);
  const auto simulation = model_.scene_simulation();
  std::vector<Want> wants;
  PanelContext panel{ui_, model_, state_, simulation, &painter_, &wants, &questions_, nullptr};
  if (size_.width == 0) {
    const ImVec2 usual = page_size(panel, wish_);
    size_ = {static_cast<int>(usual.x), static_cast<int>(usual.y)};
  }
  const ImVec2 sides{page_scale * static_cast<float>(size_.width), page_scale * static_cast<float>(size_.height)};
  const int width = static_cast<int>(sides.x), height = static_cast<int>(sides.y);
  renderer_.new_frame(width, height, 1 / 60.f);
  std::optional<ui::KeptText> text;
  if (is_svg(wish_)) text.emplace();
  compose(panel, sides);
  ImGui::Render();

  painter_.begin();
  for (const Want& want : wants) painter_.want(want);
  painter_.paint(simulation);
  for (const Want& want : wants) {
    if (const std::string* why = painter_.failure(want.track, want.picture)) throw Error(*why);
    const Picture& picture = *simulation->track(want.track).pictures()[want.picture];
    if (picture.version(want.request) == 0 && (synchronous_ || !model_.runner().busy()))
      throw Error("the picture has nothing to show yet; make a step first");
  }
  if (!painter_.all_shown()) return false;
  if (!framebuffer_) framebuffer_.emplace(width, height);
  framebuffer_->bind();
  gl::clear(ui_.theme->ground);
  painter_.present(height);
  if (text) {
    const auto drawn = framebuffer_->read_pixels();
    std::vector<ui::SvgRaster> rasters;
    for (const Want& want : wants) {
      const gl::Viewport& at = want.place;
      const ImVec2 corner{static_cast<float>(at.x), static_cast<float>(at.y)};
      rasters.push_back({corner,
                         {corner.x + static_cast<float>(at.width), corner.y + static_cast<float>(at.height)},
                         png_bytes(cut(drawn, width, at))});
    }
    svg_ = ui::to_svg(*ImGui::GetDrawData(), *text, fonts_, sides, page_scale, ui_.theme->ground, rasters,
                      "Warploom: " + wish_.picture + " of " + track_letter(wish_.track));
    return true;
  }
  gl::set_viewport(0, 0, width, height);
  renderer_.render();
  gl::check_errors("drawing a picture alone");
  pixels_ = framebuffer_->read_pixels();
  return true;
}

void PicturePage::compose(PanelContext& panel, ImVec2 pixels) {
  // What is picked belongs to the picture, what the mouse is on does not.
  const Selection hover = std::exchange(model_.hover, {});
  model_.show(panel.simulation);
  page(panel, wish_, pixels);
  model_.show(nullptr);
  model_.hover = hover;
}

std::function<void(const EditedState&)> PicturePage::writer() {
  if (is_svg(wish_))
    return [file = wish_.file, svg = std::move(svg_)](const EditedState&) { write_atomically(file, svg); };
  const int width = static_cast<int>(page_scale) * size_.width, height = static_cast<int>(page_scale) * size_.height;
  return [&model = model_, file = wish_.file, pixels = std::move(pixels_), width,
          height](const EditedState& edited) mutable {
    write_capture(file, model, width, height, std::move(pixels), edited);
  };
}

}  // namespace warploom
