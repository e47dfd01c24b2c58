#include "viewer/ui/icons.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>

namespace warploom::ui {
namespace {

/// Draws in a square from -1 to 1.
struct Pen {
  ImDrawList* list;
  ImVec2 centre;
  float half;
  ImU32 colour;
  float width;

  ImVec2 at(float x, float y) const { return {centre.x + x * half, centre.y + y * half}; }
  void stroke(std::initializer_list<ImVec2> points, bool closed = false) const {
    for (const ImVec2 point : points) list->PathLineTo(at(point.x, point.y));
    list->PathStroke(colour, closed ? ImDrawFlags_Closed : ImDrawFlags_None, width);
  }
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c) const {
    list->AddTriangleFilled(at(a.x, a.y), at(b.x, b.y), at(c.x, c.y), colour);
  }
  void box(float x0, float y0, float x1, float y1) const { list->AddRectFilled(at(x0, y0), at(x1, y1), colour); }
  void arc(float radius, float from, float to) const {
    list->PathArcTo(centre, radius * half, from, to, 20);
    list->PathStroke(colour, ImDrawFlags_None, width);
  }
};

/// By Icon.
constexpr void (*drawings[])(const Pen&) = {
    [](const Pen&) {},
    [](const Pen& pen) {
      pen.triangle({-0.5f, -0.7f}, {0.75f, 0}, {-0.5f, 0.7f});
    },
    [](const Pen& pen) { pen.box(-0.6f, -0.65f, -0.15f, 0.65f), pen.box(0.15f, -0.65f, 0.6f, 0.65f); },
    [](const Pen& pen) {
      pen.triangle({-0.65f, -0.6f}, {0.35f, 0}, {-0.65f, 0.6f}), pen.box(0.4f, -0.6f, 0.65f, 0.6f);
    },
    [](const Pen& pen) {  // reset
      pen.arc(0.62f, -2.2f, 3.0f);
      pen.triangle({-0.82f, -0.62f}, {-0.05f, -0.62f}, {-0.46f, -0.1f});
    },
    [](const Pen& pen) {
      pen.stroke({{-0.5f, -0.5f}, {0.5f, 0.5f}}), pen.stroke({{0.5f, -0.5f}, {-0.5f, 0.5f}});
    },
    [](const Pen& pen) {
      pen.stroke({{-0.6f, 0}, {0.6f, 0}}), pen.stroke({{0, -0.6f}, {0, 0.6f}});
    },
    [](const Pen& pen) {  // menu
      for (const float y : {-0.55f, 0.0f, 0.55f}) pen.stroke({{-0.7f, y}, {0.7f, y}});
    },
    [](const Pen& pen) {  // camera
      pen.stroke({{-0.85f, -0.45f},
                  {-0.4f, -0.45f},
                  {-0.22f, -0.75f},
                  {0.22f, -0.75f},
                  {0.4f, -0.45f},
                  {0.85f, -0.45f},
                  {0.85f, 0.7f},
                  {-0.85f, 0.7f}},
                 true);
      pen.arc(0.3f, 0, 6.3f);
    },
    [](const Pen& pen) {
      pen.stroke({{-0.6f, 0.05f}, {-0.15f, 0.5f}, {0.65f, -0.5f}});
    },
    [](const Pen& pen) {  // warning
      pen.stroke({{0, -0.8f}, {0.85f, 0.7f}, {-0.85f, 0.7f}}, true);
      pen.stroke({{0, -0.25f}, {0, 0.22f}});
      pen.stroke({{0, 0.38f}, {0, 0.52f}});
    },
    [](const Pen& pen) {
      pen.stroke({{-0.5f, -0.22f}, {0, 0.28f}, {0.5f, -0.22f}});
    },
    [](const Pen& pen) { pen.list->AddCircleFilled(pen.centre, pen.half * 0.6f, pen.colour, 16); },
    [](const Pen& pen) { pen.list->AddRect(pen.at(-0.5f, -0.5f), pen.at(0.5f, 0.5f), pen.colour, 0, 0, pen.width); },
    [](const Pen& pen) {  // pen
      pen.stroke({{-0.7f, 0.7f}, {-0.5f, 0.15f}, {0.4f, -0.75f}, {0.75f, -0.4f}, {-0.15f, 0.5f}}, true);
    }};
static_assert(std::size(drawings) == static_cast<std::size_t>(Icon::pen) + 1);

}  // namespace

void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, float size, ImU32 colour) {
  drawings[static_cast<int>(icon)](
      {list, {std::floor(centre.x) + 0.5f, std::floor(centre.y) + 0.5f}, size / 2, colour, std::max(1.0f, size / 10)});
}

Icon role_icon(Role role) {
  constexpr Icon by_role[] = {Icon::square, Icon::dot, Icon::warning, Icon::close};
  return by_role[static_cast<int>(role)];
}

}  // namespace warploom::ui
