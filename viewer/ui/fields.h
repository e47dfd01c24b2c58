#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "viewer/ui/context.h"

namespace warploom::ui {

/// One choice of a combo. `key` is its path element; empty: the slug of `title`.
struct Choice {
  std::string key = {};
  std::string title = {};
  std::string note = {};     ///< tooltip: what it is, and its citation
  std::string refusal = {};  ///< why it cannot be chosen: it is grey, and this is its tooltip; empty: it can
};

/// Fields are rows: `label` on the left, and a control column, which ends at the panel's right edge. All return whether
/// `value` changed in this frame.
bool toggle(UiContext& ui, std::string_view id, std::string_view label, bool& value, std::string_view tooltip = {});
bool combo(UiContext& ui, std::string_view id, std::string_view label, int& index, std::span<const Choice> choices,
           std::string_view tooltip = {});

/// Numbers are typed (Enter or loss of focus takes them, Escape gives them up), stepped with the up and down keys
/// (Shift: by ten), or scrubbed by dragging the label. What is out of range is brought to the nearest end; what is no
/// number changes nothing. `suffix` stands quietly inside the field: a unit, or what follows from the value.
bool integer(UiContext& ui, std::string_view id, std::string_view label, std::int64_t& value, std::int64_t min,
             std::int64_t max, std::string_view suffix = {}, std::string_view tooltip = {});
bool unsigned_64(UiContext& ui, std::string_view id, std::string_view label, std::uint64_t& value,
                 std::string_view suffix = {}, std::string_view tooltip = {});
bool real(UiContext& ui, std::string_view id, std::string_view label, double& value, double min, double max,
          double step, std::string_view suffix = {}, std::string_view tooltip = {});

/// A knob on a track, dragged or clicked; `shown` stands beside it: the number and its unit. `logarithmic`: equal ways
/// are equal factors (min above 0).
bool slider(UiContext& ui, std::string_view id, std::string_view label, double& value, double min, double max,
            std::string_view shown, std::string_view tooltip = {}, bool logarithmic = false);

/// A line of text, taken on Enter or loss of focus. `hint` stands in an empty field.
bool text(UiContext& ui, std::string_view id, std::string_view label, std::string& value, std::string_view hint = {},
          std::string_view tooltip = {});

/// The same without a label, as wide as there is room.
bool wide_text(UiContext& ui, std::string_view id, std::string_view label, std::string& value,
               std::string_view hint = {});

}  // namespace warploom::ui
