#include "viewer/ui/colour_word.h"

#include <algorithm>

#include "viewer/ui/deficiency.h"

namespace warploom::ui {

std::string_view colour_word(Rgba colour) {
  struct Named {
    Rgba colour;
    std::string_view word;
  };
  static constexpr Named named[]{{rgba(0, 0, 0), "black"},           {rgba(64, 64, 64), "dark grey"},
                                 {rgba(128, 128, 128), "grey"},      {rgba(192, 192, 192), "light grey"},
                                 {rgba(255, 255, 255), "white"},     {rgba(139, 26, 26), "dark red"},
                                 {rgba(214, 39, 40), "red"},         {rgba(255, 152, 150), "pink"},
                                 {rgba(122, 74, 30), "brown"},       {rgba(230, 159, 0), "orange"},
                                 {rgba(200, 180, 140), "beige"},     {rgba(107, 107, 30), "olive"},
                                 {rgba(253, 231, 37), "yellow"},     {rgba(27, 94, 32), "dark green"},
                                 {rgba(44, 160, 44), "green"},       {rgba(152, 223, 138), "light green"},
                                 {rgba(0, 158, 115), "teal"},        {rgba(23, 190, 207), "cyan"},
                                 {rgba(86, 180, 233), "light blue"}, {rgba(32, 96, 208), "blue"},
                                 {rgba(26, 47, 102), "dark blue"},   {rgba(125, 60, 181), "violet"},
                                 {rgba(204, 121, 167), "rose"}};
  const auto distance = [colour](const Named& one) { return colour_distance(colour | 0xff000000u, one.colour); };
  return std::ranges::min_element(named, {}, distance)->word;
}

}  // namespace warploom::ui
