#pragma once
#include "viewer/panels/panels.h"

// What the panes of planes and of solids draw over their pictures.

namespace warploom {

/// The colours of a track's pictures under the theme and colour map.
Palette palette_of(const PanelContext& panel, std::size_t track);

/// The middle of the pixel under the mouse: ImGui gives its corner.
ImVec2 mouse_place();
/// Whether the press that ends now moved the mouse: in its last frame ImGui no longer calls it dragging.
bool was_dragged(const ui::UiContext& ui);
/// In pixels of the framebuffer.
gl::Viewport viewport_of(const ui::Rectangle& area);

/// A tag on a pane's corner: a bar in the track's colour and a word, over whatever lies below.
void tag(PanelContext& panel, ImDrawList* list, ImVec2 at, std::string_view text, std::size_t track, float most);
/// Quiet words in the other corner, where they have room beyond `from_x`.
void note(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, std::string_view text, float from_x);

/// One invisible button over the pane takes the mouse; returns whether it is hovered, and whether it is being dragged.
std::pair<bool, bool> mouse_area(PanelContext& panel, const char* id, const ui::Rectangle& area);

/// Where a picture stands: which it is, and whether it is the track's main one or stands at its side.
struct Pane {
  std::size_t track = 0, picture = 0;
  bool side = false;
  ui::Rectangle area;
};

/// A request in the track's colours, by what the picture can be coloured by.
PictureRequest request_for(const PanelContext& panel, const Pane& pane, const Picture& picture);
/// Asks what lies under a pixel of `request`, and makes it the hovered thing where there is one.
void hover(PanelContext& panel, const Pane& pane, Picture& picture, const PictureRequest& request, double x, double y);
/// The picture's title, and a few words in the other corner.
void title(PanelContext& panel, ImDrawList* list, const Pane& pane, const Picture& picture, std::string_view words);

/// The panes of pictures, by their shape.
void plane_pane(PanelContext& panel, const Pane& pane, Picture& picture);
void solid_pane(PanelContext& panel, const Pane& pane, Picture& picture);

}  // namespace warploom
