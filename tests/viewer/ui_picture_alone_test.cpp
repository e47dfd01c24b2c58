// One picture alone: which, where to, and what its page has.
#include "tests/viewer/ui_driver.h"
#include "viewer/panels/page.h"
#include "viewer/ui/svg.h"

namespace warploom {
namespace {

constexpr int f12 = 301;

using UiPicture = DriverTest;

TEST_F(UiPicture, TheOneUnderTheMouseIsSavedAndElseTheActiveOne) {
  d.model.active_track = 1;
  d.move({1, 1});
  d.key(f12, control);
  ASSERT_TRUE(d.model.picture_asked);
  EXPECT_EQ(d.model.picture_asked->track, 1u);
  EXPECT_EQ(d.model.picture_asked->picture, "data");
  d.key(escape);
  d.move(Driver::centre(d.widget("grid_A/grid")));
  d.key(f12, control);
  EXPECT_EQ(d.model.picture_asked->track, 0u);
  EXPECT_EQ(d.model.picture_asked->picture, "launch");
  d.frames(2);
  d.answer(folder / "p.jpg");  // the field has the keyboard
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_NE(d.model.notice.find(".png"), std::string::npos) << d.model.notice;
  EXPECT_FALSE(d.model.picture_wanted);
  d.click("path/light");
  d.model.playing = true;
  d.enter("path/file", folder / "p.svg");
  ASSERT_TRUE(d.model.picture_wanted) << d.model.notice;
  EXPECT_EQ(d.model.picture_wanted->file, folder / "p.svg");
  EXPECT_EQ(d.model.picture_wanted->theme, "light");
  EXPECT_EQ(d.model.picture_wanted->picture, "launch");
  EXPECT_FALSE(d.has("path/file"));
  const auto before = d.steps();
  d.frames(3);
  EXPECT_EQ(d.steps(), before) << "its words and its picture are of one step";
  d.run("cancel");
  EXPECT_FALSE(d.model.picture_wanted);
  d.frames(3);
  EXPECT_GT(d.steps(), before);
}

/// The words of a page, in the driver's own context.
std::vector<ui::WrittenText> words_of(Driver& d, const PictureWish& wish) {
  ImVec2 size{900, 800};
  ImGui::NewFrame();
  ui::KeptText kept;
  const ui::Theme* const own = d.ui.theme;
  d.ui.theme = &page_theme(wish.theme);
  std::vector<Want> wants;
  PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation(), nullptr, &wants, d.questions};
  page(panel, wish, size);
  ImGui::Render();
  d.ui.theme = own;
  EXPECT_EQ(wants.size(), 1u);
  EXPECT_EQ(wants.at(0).request.palette.ground, wish.theme == "light" ? IM_COL32_WHITE : d.ui.theme->ground);
  return kept.lines;
}

TEST_F(UiPicture, APageHasTitleAxesLegendAndVerdict) {
  for (int i = 0; i < 12; ++i) d.run("step");
  for (const char* key : {"data", "launch"}) {
    std::string all;
    float first_verdict = 800, last_axis = 0;
    for (const auto& line : words_of(d, {1, key, {}, "light"})) {
      all += line.text + "\n";
      EXPECT_GE(line.at.x, 0) << line.text;
      EXPECT_LE(line.at.x + line.width, 900) << line.text;
      EXPECT_EQ(line.text.find("\u2026"), std::string::npos) << "cut: " << line.text;
      if (line.text == "x" || line.text == "thread x") last_axis = line.at.y;
      if (line.text.starts_with("B ") && line.at.y > 400) first_verdict = std::min(first_verdict, line.at.y);
    }
    const PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation(), nullptr, nullptr};
    std::string verdict = verdicts(panel).at(0), spaced = all;
    std::ranges::replace(spaced, '\n', ' ');
    EXPECT_NE(spaced.find(verdict), std::string::npos) << all;
    EXPECT_GT(last_axis, 400) << all;
    EXPECT_GT(first_verdict, last_axis) << "the verdict is beneath";
    const Picture& picture = *d.simulation().track(1).pictures()[std::string(key) == "launch"];
    const Legend legend = picture.legend({});
    for (const std::string& word :
         {std::string(key) == "launch" ? "hatched: threads without work" : legend.low, legend.high,
          "B  " + full_title(d.simulation().track(1).info()), std::string("step 12")})
      EXPECT_NE(all.find(word), std::string::npos) << word << "\n" << all;
  }
  EXPECT_THROW(words_of(d, {2, "data", {}, "dark"}), UsageError);
  ImGui::EndFrame();
  expect_parts(message_of<UsageError>([&] { words_of(d, {0, "dats", {}, "dark"}); }), {"'dats'", "'data'"});
  ImGui::EndFrame();
}

TEST_F(UiPicture, ItsSvgHasTextsAndShapesInTheirOrder) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedLines = style.AntiAliasedFill = false;
  ImGui::NewFrame();
  ui::KeptText kept;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({400, 300});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, 0u);
  ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({10, 20}, {30, 60}, IM_COL32(255, 0, 0, 255));
  ui::draw_text(list, d.ui.fonts->body, IM_COL32(0, 0, 255, 255), {40, 20}, {300, 40}, "a < b & c");
  list->AddRectFilled({50, 20}, {70, 60}, IM_COL32(0, 255, 0, 128));
  list->PushClipRect({100, 100}, {200, 200}, true);
  list->AddTriangleFilled({90, 110}, {150, 110}, {90, 170}, IM_COL32(1, 2, 3, 255));
  ui::draw_text(list, d.ui.fonts->mono, IM_COL32(0, 0, 255, 255), {300, 20}, {390, 40}, "out of sight");
  list->PopClipRect();
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  ImGui::Render();
  const std::string svg = ui::to_svg(*ImGui::GetDrawData(), kept, *d.ui.fonts, {400, 300}, 2, IM_COL32_WHITE,
                                     {{{1, 2}, {3, 4}, "Man"}}, "T");
  const auto at = [&](const char* part) {
    EXPECT_NE(svg.find(part), std::string::npos) << part << "\n" << svg;
    return svg.find(part);
  };
  EXPECT_LT(at("viewBox=\"0 0 400 300\""), at("base64,TWFu\""));
  EXPECT_LT(at("base64,TWFu"), at("<path fill=\"#ff0000\" d=\"M10 20L30 20L30 60L10 60Z\"/>"));
  EXPECT_LT(at("#ff0000"), at(">a &lt; b &amp; c</text>"));
  EXPECT_LT(at("a &lt; b"), at("<path fill=\"#00ff00\" fill-opacity=\"0.502\" d=\"M50 20L70 20L70 60L50 60Z\"/>"));
  EXPECT_LT(at("#00ff00"), at("<g clip-path="));
  EXPECT_LT(at("<rect x=\"100\" y=\"100\" width=\"100\" height=\"100\"/></clipPath>"),
            at("d=\"M90 110L150 110L90 170Z\""));
  EXPECT_EQ(svg.find("out of sight"), std::string::npos);
}

}  // namespace
}  // namespace warploom
