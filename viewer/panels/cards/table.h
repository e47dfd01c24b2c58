#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "viewer/ui/widgets.h"

namespace warploom {

struct TableCell {
  std::string text;
  ImU32 colour;
};

/// One row of a table: a label and right-aligned columns. They are equally wide, unless the first of two has a share of
/// its own. `label_width` in design pixels.
void table_row(ui::UiContext& ui, std::string_view label, const std::vector<TableCell>& cells, bool quiet = false,
               float label_width = 76, float first_share = 0);

/// The same, where no text may be cut: texts too long for columns stand side by side as they are, and where that is too
/// much, in a row each.
void whole_row(ui::UiContext& ui, std::string_view label, const std::vector<TableCell>& cells, bool quiet,
               float label_width);

}  // namespace warploom
