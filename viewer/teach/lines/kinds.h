#pragma once
#include "viewer/teach/lines.h"

namespace warploom {

extern const LineKind scene_line, preset_line, set_line;
extern const LineKind view_line, select_line, hover_line, track_line;
extern const LineKind mark_line, unmark_line, say_line;
extern const LineKind click_line, type_line, press_line;
extern const LineKind step_line, wait_line, check_line;
extern const LineKind play_line, present_line, overlay_line, waste_line, panels_line, motion_line;
extern const LineKind capture_line, record_line, stats_line, dump_line;

/// Throws UsageError where it is no place of any scene: "cell:2,10". "none" is one.
void check_place(const std::string& text);

}  // namespace warploom
