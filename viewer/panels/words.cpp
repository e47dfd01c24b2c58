// What is shown, in words: for who listens to the screen, and for who wants to copy it.
#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/ui/code_field.h"
#include "viewer/ui/imgui_compat.h"
#include "viewer/ui/text.h"

namespace warploom {

namespace {

/// What the panel keeps between frames.
struct WordsState {
  ui::CodeField field;
  std::string of, wrapped;
  float width = 0;
  int line = 1;  ///< that Page Up and Page Down came to
};

}  // namespace

void words_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "words");
  begin_panel(panel, "words", area, ui.theme->panel, 14, 4);
  ui::section_title(ui, "In words");
  const std::string& words = panel.model.teaching.words;
  auto& kept = panel.state.own<WordsState>();
  if (words.empty()) {
    ui::quiet_text(ui, "The words come when nothing moves.");
  } else {
    ImVec2 room = ImGui::GetContentRegionAvail();
    room.y = std::max(room.y, ui.px(60));
    // The field has line numbers at its left.
    const float width = room.x - ui.px(72);
    if (kept.of != words || kept.width != width) {
      kept.of = words;
      kept.width = width;
      kept.wrapped.clear();
      for (std::size_t begin = 0; begin < words.size();) {
        const auto end = std::min(words.find('\n', begin), words.size());
        kept.wrapped += ui::wrapped(ui.fonts->mono, words.substr(begin, end - begin), width) + "\n";
        begin = end + 1;
      }
    }
    kept.field.plain = true;
    // Without a tour, whose keys these are.
    if (!panel.model.teaching.strip.open && !ImGui::GetIO().WantTextInput) {
      const int page = std::max(1, static_cast<int>(room.y / ui.px(18)) - 2),
                by = page * (ui::key_pressed(ImGuiKey_PageDown) - ui::key_pressed(ImGuiKey_PageUp));
      const int lines = static_cast<int>(std::ranges::count(kept.wrapped, '\n'));
      if (by) kept.field.go_to = kept.line = std::clamp(kept.line + by, 1, std::max(1, lines));
    }
    ui::code_view(ui, "text", kept.wrapped, kept.field, room, {});
  }
  ImGui::End();
}

}  // namespace warploom
