#include "viewer/app/handout.h"

#include <fmt/format.h>

#include <set>
#include <tuple>
#include <utility>

#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "viewer/base/json_text.h"
#include "viewer/export/handout_folder.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/state.h"
#include "viewer/model/catalogue.h"
#include "viewer/model/figures.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/teach/describe.h"

namespace warploom {

namespace {

std::string read_me(Model& model, const Simulation& tracks, const nlohmann::ordered_json& stats, int width,
                    int height) {
  std::string text = "# " + caption_text(model.scene()) + "\n\n![The window](picture.png)\n\n";
  const std::size_t baseline = model.baseline_of(tracks);
  std::set<std::string> cited;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const TrackInfo& info = tracks.track(i).info();
    text += fmt::format("- **{}**: {}", tracks.letter(i), full_title(info));
    if (!info.citation.empty() && cited.insert(info.citation).second) text += " [" + info.citation + "]";
    text += ".";
    if (const std::string verdict =
            verdict_text(tracks, i, baseline, tracks.ratio_to_baseline(i, baseline), model.on_cpu());
        !verdict.empty())
      text += " " + verdict;
    text += "\n";
  }
  text += fmt::format("\nStep {}, on {}, Warploom {}, {}.\n", stats["steps"].dump(),
                      stats["environment"].value("device", "an unknown device"), WARPLOOM_VERSION,
                      stats["time_utc"].get<std::string>());
  text += fmt::format(
      "\nThe same picture again:\n\n```sh\nwarploom run --scene-file scene.toml --size {}x{} --theme {} "
      "--backend {} --capture again.png\n```\n",
      width, height, model.view.theme, model.on_cpu() ? "cpu" : "cuda");
  text += "\n`stats.json` has all figures, `words.txt` says what is shown, and each plot is there as SVG and as CSV.\n";
  if (!cited.empty()) text += "\n## References\n\n";
  for (const auto& key : cited) text += "- [" + key + "] " + citation_text(key) + "\n";
  return text;
}

/// What the scene text does not say is not in its picture: a tour, what the editor shows, where the mouse is. It comes
/// back at this one's end.
class SceneAlone {
 public:
  explicit SceneAlone(Model& model)
      : model_(model),
        teaching_(std::exchange(model.teaching, {})),
        headless_(std::exchange(model.machine.headless, true)),
        editing_(std::exchange(model.editing.open, false)),
        hover_(std::exchange(model.hover, {})) {}
  ~SceneAlone() {
    model_.teaching = std::move(teaching_);
    model_.machine.headless = headless_;
    model_.editing.open = editing_;
    model_.hover = hover_;
  }
  SceneAlone(const SceneAlone&) = delete;
  SceneAlone& operator=(const SceneAlone&) = delete;

 private:
  Model& model_;
  Teaching teaching_;
  bool headless_, editing_;
  Selection hover_;
};

}  // namespace

void write_handout(const std::string& folder, Model& model, App& app, const nlohmann::ordered_json& stats, int width,
                   int height, const std::function<std::vector<Rgba>()>& draw) {
  const auto tracks = model.runner().simulation();
  Queue questions(model.runner().backend());
  const std::string words = described_words(describe(model, stats, questions, &app.painter()));
  const std::string text = read_me(model, *tracks, stats, width, height);
  // Plots have the samples; the picture comes after, without them.
  std::vector<Want> wants;
  const ui::Theme* own = app.ui().theme;
  app.ui().theme = &ui::theme(ui::ThemeName::light, model.scene().letters());
  PanelContext panel{app.ui(), model, app.panels(), tracks, &app.painter(), &wants, &questions};
  app.panels().shown.at = -1;
  std::vector<std::pair<std::string, ui::Figure>> plots;
  for (const auto& key : model.view.plots)
    if (const PlotKind& kind = plot_kind(key); kind.missing(panel).empty())
      plots.emplace_back(kind.key, kind.make(panel));
  app.ui().theme = own;
  const auto pixels = [&] {
    const Timings::Aside aside(tracks->timings());
    PanelState& panels = app.panels();
    const auto frames = std::tuple(std::exchange(panels.frame_ms, {}), std::exchange(panels.ui_ms, {}),
                                   std::exchange(panels.interop_ms, {}));
    model.times = {};
    panels.rates.clear();
    panels.paper = {};
    panels.shown.at = panels.frames_plotted_at = -1;
    auto drawn = draw();
    std::tie(panels.frame_ms, panels.ui_ms, panels.interop_ms) = frames;
    panels.shown.at = panels.frames_plotted_at = -1;
    return drawn;
  }();
  const EditedState edited = edited_state(model);
  write_folder(handout_wish(folder), [&](const std::filesystem::path& to) {
    write_capture((to / "picture.png").string(), model, width, height, pixels, edited);
    for (const auto& [key, figure] : plots) {
      write_atomically(to / (key + ".svg"), ui::to_svg(figure));
      write_atomically(to / (key + ".csv"), ui::to_csv(figure));
    }
    write_atomically(to / "stats.json", json_text(stats));
    write_atomically(to / "words.txt", words);
    write_atomically(to / "scene.toml", scene_text(model, to, &edited));
    write_atomically(to / "README.md", text);
  });
}

void App::hand_out() {
  const auto wish = std::exchange(model_.teaching.handout_wanted, {});
  if (!wish) return;
  model_.notice.clear();
  {
    const SceneAlone alone(model_);
    constexpr int width = 1600, height = 900;
    gl::Framebuffer framebuffer(width, height);
    App page(model_, Options{}, nullptr, true);
    write_handout(wish->folder, model_, *this, *wish->stats, width, height, [&] {
      for (int i = 0; i < 4; ++i) {
        framebuffer.bind();
        page.frame(width, height, 1 / 60.f, 1);
        gl::finish();
        model_.times = {};
      }
      return framebuffer.read_pixels();
    });
  }
  model_.tell("handed out: " + std::filesystem::absolute(wish->folder).string());
}

}  // namespace warploom
