#include "viewer/ui/icons.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

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

void draw_reset(const Pen& pen) {
  pen.arc(0.62f, -2.2f, 3.0f);
  pen.triangle({-0.82f, -0.62f}, {-0.05f, -0.62f}, {-0.46f, -0.1f});
}

void draw_warning(const Pen& pen) {
  pen.stroke({{0, -0.8f}, {0.85f, 0.7f}, {-0.85f, 0.7f}}, true);
  pen.stroke({{0, -0.25f}, {0, 0.22f}});
  pen.stroke({{0, 0.38f}, {0, 0.52f}});
}

void draw_menu(const Pen& pen) {
  for (const float y : {-0.55f, 0.0f, 0.55f}) pen.stroke({{-0.7f, y}, {0.7f, y}});
}

void draw_camera(const Pen& pen) {
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
}

void draw_link(const Pen& pen) {
  pen.stroke({{-0.1f, -0.4f}, {-0.8f, -0.4f}, {-0.8f, 0.4f}, {-0.1f, 0.4f}});
  pen.stroke({{0.1f, -0.4f}, {0.8f, -0.4f}, {0.8f, 0.4f}, {0.1f, 0.4f}});
  pen.stroke({{-0.4f, 0}, {0.4f, 0}});
}

}  // namespace

void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, float size, ImU32 colour) {
  const Pen pen{
      list, {std::floor(centre.x) + 0.5f, std::floor(centre.y) + 0.5f}, size / 2, colour, std::max(1.0f, size / 10)};
  switch (icon) {
    case Icon::none:
      break;
    case Icon::play:
      pen.triangle({-0.5f, -0.7f}, {0.75f, 0}, {-0.5f, 0.7f});
      break;
    case Icon::pause:
      pen.box(-0.6f, -0.65f, -0.15f, 0.65f), pen.box(0.15f, -0.65f, 0.6f, 0.65f);
      break;
    case Icon::step:
      pen.triangle({-0.65f, -0.6f}, {0.35f, 0}, {-0.65f, 0.6f}), pen.box(0.4f, -0.6f, 0.65f, 0.6f);
      break;
    case Icon::reset:
      draw_reset(pen);
      break;
    case Icon::close:
      pen.stroke({{-0.5f, -0.5f}, {0.5f, 0.5f}}), pen.stroke({{0.5f, -0.5f}, {-0.5f, 0.5f}});
      break;
    case Icon::add:
      pen.stroke({{-0.6f, 0}, {0.6f, 0}}), pen.stroke({{0, -0.6f}, {0, 0.6f}});
      break;
    case Icon::menu:
      draw_menu(pen);
      break;
    case Icon::camera:
      draw_camera(pen);
      break;
    case Icon::check:
      pen.stroke({{-0.6f, 0.05f}, {-0.15f, 0.5f}, {0.65f, -0.5f}});
      break;
    case Icon::warning:
      draw_warning(pen);
      break;
    case Icon::down:
      pen.stroke({{-0.5f, -0.22f}, {0, 0.28f}, {0.5f, -0.22f}});
      break;
    case Icon::dot:
      list->AddCircleFilled(pen.centre, pen.half * 0.6f, colour, 16);
      break;
    case Icon::square:
      list->AddRect(pen.at(-0.5f, -0.5f), pen.at(0.5f, 0.5f), colour, 0, 0, pen.width);
      break;
    case Icon::link:
      draw_link(pen);
      break;
  }
}

Icon role_icon(Role role) {
  switch (role) {
    case Role::good:
      return Icon::dot;
    case Role::warning:
      return Icon::warning;
    case Role::bad:
      return Icon::close;
    case Role::accent:
      return Icon::play;
    case Role::neutral:
      break;
  }
  return Icon::square;
}

}  // namespace warploom::ui
