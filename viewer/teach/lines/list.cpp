#include "viewer/teach/lines/kinds.h"

namespace warploom {

const std::vector<const LineKind*>& line_kinds() {
  // A new line is a file beside this one, and one line here.
  static const std::vector<const LineKind*> all{
      &scene_line,  &preset_line,  &set_line,    &step_line,    &wait_line,    &check_line, &view_line,
      &select_line, &hover_line,   &track_line,  &mark_line,    &unmark_line,  &say_line,   &click_line,
      &type_line,   &press_line,   &play_line,   &present_line, &overlay_line, &waste_line, &panels_line,
      &motion_line, &capture_line, &record_line, &stats_line,   &dump_line,
  };
  return all;
}

}  // namespace warploom
