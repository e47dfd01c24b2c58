#pragma once
#include "gpu/pictures/keyed_picture.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/panes/plane.h"

// What the panes of planes and of solids draw over their pictures.

namespace warploom {

/// Those of [okabe2008color], with a light grey in place of black.
inline constexpr std::array<Rgba, 8> warp_colours{rgba(230, 159, 0),   rgba(86, 180, 233), rgba(0, 158, 115),
                                                  rgba(240, 228, 66),  rgba(0, 114, 178),  rgba(213, 94, 0),
                                                  rgba(204, 121, 167), rgba(190, 190, 190)};

/// The colours of a track's pictures under the theme and colour map.
Palette palette_of(const PanelContext& panel, std::size_t track);

/// How far its blocks are on their way (SolidView), where they can be; 1: they are where they work.
double morph_of(const PanelContext& panel, const Picture& picture);
/// ... and which plane is looked at, where one may cut it.
Looking looking_at(const PanelContext& panel, const Picture& picture);
/// "40 % of the way to their cells"
std::string on_their_way(double morph);

/// The middle of the pixel under the mouse: ImGui gives its corner.
ImVec2 mouse_place();
/// Whether the press that ends now moved the mouse: in its last frame ImGui no longer calls it dragging.
bool was_dragged(const ui::UiContext& ui);
/// In pixels of the framebuffer.
gl::Viewport viewport_of(const ui::Rectangle& area);

/// One invisible button over the pane takes the mouse; returns whether it is hovered, and whether it is being dragged.
std::pair<bool, bool> mouse_area(PanelContext& panel, const char* id, const ui::Rectangle& area);

/// Where a picture stands: which it is, and whether it is the track's main one or stands at its side.
struct Pane {
  std::size_t track = 0, picture = 0;
  bool side = false;
  ui::Rectangle area;
  bool alone = false;  ///< on a page of its own (page.h), which has its title and its legend
};

/// The picture at a track's side; null: it has none.
const Picture* side_picture(const PanelContext& panel, std::size_t track);

/// What the colours of a picture stand for, in the lower corner of its pane where it has room; where it ends.
float legend(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, const PictureRequest& request,
             const Picture& picture, std::size_t track);

/// What is marked in a picture: the selection, and of the slow launch the block that came last.
std::vector<Outline> marks_of(const PanelContext& panel, const Picture& picture, std::size_t track);
/// The marks of what was picked, drawn quietly while something else is hovered.
std::vector<Outline> kept_marks_of(const PanelContext& panel, const Picture& picture, std::size_t track);

/// Draws all marks of a plane, its pins too.
void draw_marks(PanelContext& panel, ImDrawList* list, const Plane& plane, const Picture& picture, std::size_t track);

/// A note beside a place of a pane: an arrow to it, and words that stay within the pane, and beside other notes, which
/// they join.
void draw_pin(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, ImVec2 at, const Pin& pin,
              std::vector<ui::Rectangle>& notes);
/// The pins that a picture has, marks of places among them, with their outlines in it. Of cells only the first track
/// tells the words.
std::vector<std::pair<Outline, Pin>> pins_of(const PanelContext& panel, const Picture& picture, std::size_t track);

/// A request in the track's colours, by what the picture can be coloured by. `single`: no pixel shows more than one
/// place, so that kinds can have a colour each.
PictureRequest request_for(const PanelContext& panel, const Pane& pane, const Picture& picture, bool single = true);
/// Asks what lies under a pixel of `request`, and makes it the hovered thing where there is one.
void hover(PanelContext& panel, const Pane& pane, Picture& picture, const PictureRequest& request, double x, double y);
/// The picture's title, and a few words in the other corner: the first of them that has room.
void title(PanelContext& panel, ImDrawList* list, const Pane& pane, const Picture& picture,
           const std::vector<std::string>& words);

/// A request of a plane as it lies in its pane, in points, as the plane's camera is.
PictureRequest plane_request(const PanelContext& panel, const Pane& pane, const Picture& picture, const Plane& plane);
/// What a picture shows, and how much of it is drawn.
std::string caption_of(const Picture& picture, const PictureRequest& request);

/// How a pane's plane lies on the screen.
Plane plane_of(const PanelContext& panel, const Pane& pane, const Picture& picture);

/// The light that runs through pictures that flow, after a step.
void draw_pulse(PanelContext& panel, ImDrawList* list, const Plane& plane, const Picture& picture);
/// Words of the picture itself, in each row the longest that all of its labels have room for.
void draw_labels(PanelContext& panel, ImDrawList* list, const Plane& plane, const Picture& picture,
                 const PictureRequest& request);
/// A stroke over an input: it becomes the input when the mouse is let go. `request`: in points, of the plane.
void draw_input(PanelContext& panel, const Plane& plane, const Picture& picture, const PictureRequest& request,
                bool active);
/// ... as far as it came.
void draw_stroke(PanelContext& panel, ImDrawList* list);

/// Whether a track's map is its user's, so that it can be told how often each cell is served.
bool can_show_visits(const PanelContext& panel);
/// ... and a picture tells it: each cell in the track's colour, wrong ones in theirs.
bool shows_visits(const PanelContext& panel, const Picture& picture);

/// The names of a picture's single colours, those of wrong cells among them.
std::vector<KeyedPicture::Kind> kinds_of(const PanelContext& panel, const Picture& picture,
                                         const PictureRequest& request, std::size_t track);

/// A legend in fewer words, where the pane has no room for all of them.
Legend short_where_narrow(const PanelContext& panel, const PictureRequest& request, const Picture& picture,
                          std::size_t track, const ui::Rectangle& area);
/// Pixels that the names of single colours take; 0: there are none.
float kinds_width(const PanelContext& panel, const Picture& picture, const PictureRequest& request, std::size_t track);
/// At its side a picture leaves room for the names of its colours below it.
bool leaves_room_for_kinds(const Picture& picture);
/// The names of single colours (KeyedPicture), right of `legend_right`, as many as have room; where they end.
float legend_kinds(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, const PictureRequest& request,
                   const Picture& picture, std::size_t track, float legend_right);

/// Moves the pick by the keyboard, where that is on the pane's picture: by a cell, a thread or whatever it shows, by
/// blocks, or to its ends.
void pick_by_keys(PanelContext& panel, const Pane& pane, Picture& picture);

/// The panes of pictures, by their shape, in two passes over all of them: the mouse moves cameras and finds what is
/// hovered, then everything is drawn. So a hover marks every picture in the same frame, whichever stands first.
void plane_mouse(PanelContext& panel, const Pane& pane, Picture& picture);
void plane_drawing(PanelContext& panel, const Pane& pane, Picture& picture);
void solid_mouse(PanelContext& panel, const Pane& pane, Picture& picture);
void solid_drawing(PanelContext& panel, const Pane& pane, Picture& picture);

}  // namespace warploom
