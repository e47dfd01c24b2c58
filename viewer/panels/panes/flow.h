#pragma once
#include "viewer/panels/panels.h"
#include "viewer/panels/panes/plane.h"

// What planes have that values run through: words of their own, a light, an input that is drawn by hand.
namespace warploom {

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

}  // namespace warploom
