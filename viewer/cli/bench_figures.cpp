#include "viewer/cli/bench.h"

#include <fmt/format.h>

#include <map>

#include "gpu/bench/paper_figure.h"
#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "viewer/base/paths.h"
#include "viewer/base/png.h"
#include "viewer/cli/fields.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/headless_context.h"
#include "viewer/gl/imgui_renderer.h"
#include "viewer/gl/state.h"
#include "viewer/model/scene_parts.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/plot/paper.h"
#include "viewer/ui/text.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;
using bench::PaperFigure;

constexpr int width = 1280, height = 720;
constexpr float scale = 1.25f;

struct Measured {
  double x = 0, y = 0, low = 0, high = 0;
};
/// By curve, in the order of x.
using Curves = std::map<std::string, std::map<double, Measured>>;

Curves measured(const PaperFigure& paper, const Json& all) {
  Curves curves;
  for (const Json& figure : all["figures"]) {
    const Json& parameters = figure["parameters"];
    if (figure["suite"] != "figures" || parameters.value("figure", "") != paper.key || figure["median"].is_null())
      continue;
    const Json& from = paper.shows == PaperFigure::Shows::speed_up ? figure["ratio_to_peer"] : figure;
    if (from.is_null()) continue;
    const Measured at{std::stod(parameters.at(paper.x_name()).get<std::string>()), from["median"].get<double>(),
                      from["low"].get<double>(), from["high"].get<double>()};
    curves[parameters.at("curve").get<std::string>()][at.x] = at;
  }
  return curves;
}

std::string text_or(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string("-"); }

/// The machine, and when; across blocks the level too.
std::string origin(const PaperFigure& paper, const Json& all) {
  const Json& environment = all["environment"];
  std::string words = text_or(environment.value("device", Json()));
  if (environment.value("backend", "") == "cuda") words += ", driver " + text_or(environment.value("driver", Json()));
  words += ", " + text_or(all["time_utc"]).substr(0, 10);
  if (paper.across == PaperFigure::Across::block)
    for (const Json& figure : all["figures"])
      if (figure["parameters"].value("figure", "") == paper.key)
        return words + ", measured at level " + figure["parameters"].value("level", "");
  return words;
}

std::string csv(const PaperFigure& paper, const Curves& curves, const Json& all) {
  using Shows = PaperFigure::Shows;
  const char* y_name = paper.shows == Shows::memory_gain    ? "memory_gain"
                       : paper.shows == Shows::milliseconds ? "milliseconds"
                                                            : "speed_up";
  std::string text = fmt::format("figure,kind,curve,{},{},low,high,source\n", paper.x_name(), y_name);
  for (const auto& curve : paper.tracks)
    if (const auto found = curves.find(curve.name); found != curves.end())
      for (const auto& [x, at] : found->second)
        text += fmt::format("{},measured,\"{}\",{:.9g},{:.6g},{:.6g},{:.6g},\"{}\"\n", paper.key, curve.name, x, at.y,
                            at.low, at.high, origin(paper, all));
  const auto others = [&](const char* kind, const std::vector<bench::PaperCurve>& list) {
    for (const auto& curve : list)
      for (std::size_t i = 0; i < curve.x.size(); ++i)
        text += fmt::format("{},{},\"{}\",{:.9g},{:.6g},,,{}\n", paper.key, kind, curve.name, curve.x[i], curve.y[i],
                            curve.source);
  };
  others("printed", paper.printed);
  others("promised", paper.promised);
  return text;
}

ui::Figure drawn(const PaperFigure& paper, const Curves& curves, const ui::Theme& theme) {
  ui::Figure figure = ui::paper_figure(paper, theme);
  constexpr ui::Marker markers[] = {ui::Marker::dot, ui::Marker::square, ui::Marker::triangle, ui::Marker::diamond};
  std::vector<ui::Figure::Curve> own;
  for (std::size_t i = 0; i < paper.tracks.size(); ++i) {
    const auto found = curves.find(paper.tracks[i].name);
    if (found == curves.end()) continue;
    const std::size_t style = i + i / std::size(markers);  // the fifth is not as the first
    ui::Figure::Curve curve{.name = paper.tracks[i].name,
                            .colour = ui::paper_colour(theme, i),
                            .stroke = style % 2 ? ui::Stroke::dashed : ui::Stroke::solid,
                            .marker = markers[style % std::size(markers)]};
    for (const auto& [x, at] : found->second) curve.x.push_back(x), curve.y.push_back(at.y);
    own.push_back(std::move(curve));
  }
  figure.curves.insert(figure.curves.begin(), own.begin(), own.end());
  figure.still = true;
  ui::fit_axes(figure, paper);
  return figure;
}

}  // namespace

/// A page on white, drawn as the window draws.
struct FigureFiles::Drawing {
  gl::HeadlessContext context{false};
  gl::Framebuffer page{width, height};
  gl::ImguiRenderer renderer{nullptr};
  ui::UiContext ui;
  ui::Fonts fonts;

  Drawing() {
    ui.theme = &ui::theme(ui::ThemeName::light);
    ui::apply(*ui.theme, scale);
    ui.scale = scale;
    fonts = ui::load_fonts(scale, (data_folder() / "fonts").string());
    ui.fonts = &fonts;
    ImGui::GetIO().FontDefault = fonts.body;
    renderer.reload_fonts();
  }

  std::vector<Rgba> draw(const ui::Figure& figure, const std::string& below) {
    page.bind();
    gl::set_viewport(0, 0, width, height);
    gl::clear(IM_COL32_WHITE);
    renderer.new_frame(width, height, 1.f / 60);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32_WHITE);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.f);
    ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    const float foot = ui.px(28), edge = ui.px(10);
    ui::draw(ui, {{edge, edge}, {width - edge, height - edge - foot}}, figure, nullptr);
    ui::draw_text(ImGui::GetWindowDrawList(), fonts.body, ui.theme->quiet, {edge + ui.px(14), height - edge - foot},
                  {width - edge, height - edge}, below);
    ImGui::End();
    ImGui::Render();
    renderer.render();
    return page.read_pixels();
  }
};

FigureFiles::FigureFiles(const std::filesystem::path& folder) : folder_(folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed || !std::filesystem::is_directory(folder))
    throw FileError("--out " + folder.string() + ": no folder can be made there" +
                    (failed ? ": " + failed.message() : ""));
  check_can_write((folder / "figure.csv").string());
  drawing_ = std::make_unique<Drawing>();
}

FigureFiles::~FigureFiles() = default;

std::vector<std::filesystem::path> FigureFiles::write(const nlohmann::ordered_json& all) {
  std::vector<std::filesystem::path> files;
  for (const auto& paper : known_parts().papers) {
    const Curves curves = measured(paper, all);
    if (curves.empty()) continue;
    files.push_back(folder_ / (paper.key + ".csv"));
    write_atomically(files.back().string(), csv(paper, curves, all));
    files.push_back(folder_ / (paper.key + ".png"));
    PngImage image{width, height, drawing_->draw(drawn(paper, curves, *drawing_->ui.theme), origin(paper, all)), {}};
    for (auto& pixel : image.pixels) pixel |= 0xff000000u;
    write_png(files.back(), image);
  }
  return files;
}

}  // namespace warploom
