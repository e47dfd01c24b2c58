#include "viewer/ui/colour_word.h"

#include <algorithm>

#include "viewer/ui/deficiency.h"

namespace warploom::ui {

std::string_view colour_word(Rgba colour) {
  struct Named {
    unsigned rgb;
    std::string_view word;
  };
  static constexpr Named named[]{
      {0x000000, "black"},     {0x404040, "dark grey"},  {0x808080, "grey"},       {0xc0c0c0, "light grey"},
      {0xffffff, "white"},     {0x8b1a1a, "dark red"},   {0xd62728, "red"},        {0xff9896, "pink"},
      {0x7a4a1e, "brown"},     {0xe69f00, "orange"},     {0xc8b48c, "beige"},      {0x6b6b1e, "olive"},
      {0xfde725, "yellow"},    {0x1b5e20, "dark green"}, {0x2ca02c, "green"},      {0x98df8a, "light green"},
      {0x009e73, "teal"},      {0x17becf, "cyan"},       {0x56b4e9, "light blue"}, {0x2060d0, "blue"},
      {0x1a2f66, "dark blue"}, {0x7d3cb5, "violet"},     {0xcc79a7, "rose"}};
  const auto distance = [&](const Named& one) {
    const Rgba its = 0xff000000u | (one.rgb & 255) << 16 | (one.rgb & 0xff00) | one.rgb >> 16;
    return colour_distance(colour | 0xff000000u, its);
  };
  return std::ranges::min_element(named, {}, distance)->word;
}

}  // namespace warploom::ui
