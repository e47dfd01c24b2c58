#pragma once
#include "viewer/panels/panels.h"

namespace warploom {

/// The theme of a page: `name` is "light", which is on white here, or "dark".
const ui::Theme& page_theme(const std::string& name);

/// The usual size of a page for a picture, in points: as wide as papers are, as high as the picture needs.
ImVec2 page_size(const PanelContext& panel, const PictureWish& wish);

/// One picture alone: above it the track, what the picture is and of which run, around it its axes, below it its legend
/// and the verdict. `size` is that of the whole frame. Call between NewFrame and Render. Throws Error where the tracks
/// have no such picture, or it has nothing to show yet.
void page(PanelContext& panel, const PictureWish& wish, ImVec2 size);

/// Throws UsageError unless the file ends in .png or .svg.
void check_picture_name(const std::string& file);
/// Of the tracks that are there; throws UsageError with the nearest that there is.
void check_picture(const Simulation& simulation, const PictureWish& wish);

}  // namespace warploom
