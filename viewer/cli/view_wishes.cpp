#include "viewer/cli/view_wishes.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "viewer/gl/state.h"
#include "viewer/model/figures.h"
#include "viewer/model/scene_text.h"
#include "viewer/model/user_files.h"
#include "viewer/panels/panes/marks.h"

namespace warploom {

void serve_wishes(Model& model, gl::Window& window) {
  if (model.full_screen_wanted) window.toggle_fullscreen();
  model.full_screen_wanted = false;
  if (model.clipboard_wanted == "copy") {
    with_edited_state(model, [&](const EditedState& edited) {
      const std::string text = scene_text(model, {}, &edited);
      window.set_clipboard(text);
      model.tell("scene text copied" + lost_with(model, text));
    });
  } else if (model.clipboard_wanted == "figures") {
    const std::string text = figures_with_origin(model);
    if (!text.empty()) window.set_clipboard(text);
    model.tell(text.empty() ? "nothing is built yet, so there are no figures" : "figures copied", text.empty());
  } else if (model.clipboard_wanted == "paste") {
    model.guarded([&] {
      open_scene(model, "scene pasted", [&model, text = std::string(window.clipboard())] {
        return read_scene_text(model, text, "clipboard", model.folder);
      });
    });
  }
  model.clipboard_wanted.clear();
}

void capture_frame(App& app, Model& model, const std::string& file, bool alone, gl::Size size) {
  auto pixels = gl::read_pixels(size.width, size.height);
  const ui::Rectangle& plot = app.panels().figure_area;
  const auto write = [&model, file](int width, int height, std::vector<Rgba> picture) {
    with_edited_state(model,
                      [&model, file, width, height, picture = std::move(picture)](const EditedState& edited) mutable {
                        write_capture(file, model, width, height, std::move(picture), edited);
                        model.tell("captured " + std::filesystem::absolute(file).string());
                      });
  };
  if (!alone) return write(size.width, size.height, std::move(pixels));
  if (plot.empty()) throw Error("the plot is not open any more");
  const gl::Viewport part = viewport_of(plot);
  std::vector<Rgba> cut;
  for (int y = 0; y < part.height; ++y) {
    const auto row = pixels.begin() + std::ptrdiff_t{part.y + y} * size.width + part.x;
    cut.insert(cut.end(), row, row + part.width);
  }
  write(part.width, part.height, std::move(cut));
}

}  // namespace warploom
