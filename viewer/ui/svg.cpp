#include "viewer/ui/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace warploom::ui {
namespace {

std::string base64(std::string_view bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> unsigned {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
    };
    const unsigned three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
  }
  return text;
}

/// "12.5", "12"
std::string svg_number(float value) {
  const float tenths = std::round(value * 10);
  return std::fmod(tenths, 10.f) == 0 ? fmt::format("{:.0f}", tenths / 10) : fmt::format("{:.1f}", tenths / 10);
}

std::string svg_fill(ImU32 colour) {
  const unsigned alpha = colour >> IM_COL32_A_SHIFT & 255;
  std::string words = " fill=\"" + svg_colour(colour) + "\"";
  if (alpha < 255) words += fmt::format(" fill-opacity=\"{:.3f}\"", alpha / 255.);
  return words;
}

/// Writes triangles of one colour as one path: those that fan out from a corner as one polygon.
class SvgPaths {
 public:
  explicit SvgPaths(std::string& svg) : svg_(svg) {}

  void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    if (a.col != colour_) end();
    colour_ = a.col;
    const auto same = [](ImVec2 one, ImVec2 other) { return one.x == other.x && one.y == other.y; };
    if (polygon_.size() < 3 || !same(polygon_.front(), a.pos) || !same(polygon_.back(), b.pos)) {
      end_polygon();
      polygon_ = {a.pos, b.pos};
    }
    polygon_.push_back(c.pos);
  }

  void end() {
    end_polygon();
    if (!path_.empty() && colour_ >> IM_COL32_A_SHIFT) svg_ += "<path" + svg_fill(colour_) + " d=\"" + path_ + "\"/>\n";
    path_.clear();
  }

 private:
  void end_polygon() {
    double twice_area = 0;
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      const ImVec2 p = polygon_[i], q = polygon_[(i + 1) % polygon_.size()];
      twice_area += double{p.x} * q.y - double{q.x} * p.y;
    }
    // All run the same way round: where polygons of a path overlap, none cuts a hole.
    if (twice_area < 0) std::reverse(polygon_.begin(), polygon_.end());
    if (std::abs(twice_area) > 1e-3)
      for (std::size_t i = 0; i < polygon_.size(); ++i)
        path_ += (i == 0 ? "M" : "L") + svg_number(polygon_[i].x) + " " + svg_number(polygon_[i].y) +
                 (i + 1 == polygon_.size() ? "Z" : "");
    polygon_.clear();
  }

  std::string& svg_;
  std::string path_;
  std::vector<ImVec2> polygon_;
  ImU32 colour_ = 0;
};

class SvgWriter {
 public:
  SvgWriter(const KeptText& text, const Fonts& fonts, ImVec2 size, float scale)
      : text_(text), fonts_(fonts), size_(size), scale_(scale) {}

  void add(const ImDrawList& list) {
    auto line = std::find_if(text_.lines.begin(), text_.lines.end(), [&](const auto& l) { return l.list == &list; });
    const auto text_before = [&](int index) {
      for (; line != text_.lines.end() && line->list == &list && line->index <= index; ++line) add(*line);
    };
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const auto first = static_cast<int>(command.IdxOffset), end = first + static_cast<int>(command.ElemCount);
      SvgPaths paths(body_);
      const auto vertex = [&](int i) -> const ImDrawVert& {
        return list.VtxBuffer[static_cast<int>(command.VtxOffset) + list.IdxBuffer[i]];
      };
      for (int i = first; i + 2 < end; i += 3) {
        if (line != text_.lines.end() && line->list == &list && line->index <= i) paths.end(), text_before(i);
        clip(command.ClipRect);
        paths.triangle(vertex(i), vertex(i + 1), vertex(i + 2));
      }
      paths.end();
    }
    text_before(list.IdxBuffer.Size);
    clip({0, 0, size_.x, size_.y});
  }

  const std::string& body() const { return body_; }

  std::string clips() const {
    std::string all;
    for (const auto& [box, id] : clips_)
      all +=
          fmt::format("<clipPath id=\"c{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", id,
                      svg_number(std::get<0>(box)), svg_number(std::get<1>(box)),
                      svg_number(std::get<2>(box) - std::get<0>(box)), svg_number(std::get<3>(box) - std::get<1>(box)));
    return all;
  }

 private:
  using Box = std::tuple<float, float, float, float>;

  void add(const WrittenText& line) {
    const float height = line.font->FontSize;
    const ImVec4& within = line.clip;
    if (line.at.x >= within.z || line.at.y >= within.w || line.at.x + line.width <= within.x ||
        line.at.y + height <= within.y)
      return;
    clip(within);
    const bool mono = line.font == fonts_.mono, strong = line.font == fonts_.strong;
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{} textLength=\"{}\">{}</text>\n",
                         svg_number(line.at.x), svg_number(line.at.y + line.font->Ascent),
                         svg_number((mono ? 12 : 13) * scale_),
                         mono ? " font-family=\"JetBrains Mono, monospace\"" : "", strong ? " font-weight=\"600\"" : "",
                         svg_fill(line.colour), svg_number(line.width), svg_escaped(line.text));
  }

  /// What follows is drawn within this rectangle.
  void clip(const ImVec4& within) {
    const bool all = within.x <= 0 && within.y <= 0 && within.z >= size_.x && within.w >= size_.y;
    const int id = all ? 0 : clips_.try_emplace(Box{within.x, within.y, within.z, within.w}, next_id()).first->second;
    if (id == clip_) return;
    if (clip_) body_ += "</g>\n";
    if (id) body_ += fmt::format("<g clip-path=\"url(#c{})\">\n", id);
    clip_ = id;
  }
  int next_id() const { return static_cast<int>(clips_.size()) + 1; }

  const KeptText& text_;
  const Fonts& fonts_;
  ImVec2 size_;
  float scale_;
  std::string body_;
  std::map<Box, int> clips_;
  int clip_ = 0;  ///< 0: none
};

}  // namespace

std::string svg_escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string svg_colour(ImU32 colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour & 255, colour >> 8 & 255, colour >> 16 & 255);
}

std::string to_svg(const ImDrawData& drawn, const KeptText& text, const Fonts& fonts, ImVec2 size, float scale,
                   ImU32 ground, const std::vector<SvgRaster>& rasters, std::string_view title) {
  SvgWriter writer(text, fonts, size, scale);
  for (int i = 0; i < drawn.CmdListsCount; ++i) writer.add(*drawn.CmdLists[i]);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{}\" "
      "height=\"{}\" viewBox=\"0 0 {} {}\" font-family=\"Inter, sans-serif\">\n<title>{}</title>\n<defs>\n{}</defs>\n"
      "<rect width=\"100%\" height=\"100%\"{}/>\n",
      svg_number(size.x / scale), svg_number(size.y / scale), svg_number(size.x), svg_number(size.y),
      svg_escaped(title), writer.clips(), svg_fill(ground));
  for (const SvgRaster& raster : rasters)
    svg +=
        fmt::format("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" xlink:href=\"data:image/png;base64,{}\"/>\n",
                    svg_number(raster.min.x), svg_number(raster.min.y), svg_number(raster.max.x - raster.min.x),
                    svg_number(raster.max.y - raster.min.y), base64(raster.png));
  return svg + writer.body() + "</svg>\n";
}

}  // namespace warploom::ui
