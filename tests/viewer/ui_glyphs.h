#pragma once
#include <imgui.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

inline std::string utf8(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
  return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

/// Words as they lie on the screen.
struct SeenText {
  std::string words;
  ImVec2 min, max;
  bool clipped = false;  ///< some of its letters lie beside what may be drawn
  /// An ellipsis in its place: what is not told to the end. One that means "still under way" has a space before it.
  bool cut() const {
    const std::string dots = "\u2026";
    for (auto at = words.find(dots); at != std::string::npos; at = words.find(dots, at + 1))
      if (at > 0 && words[at - 1] != ' ') return true;
    return clipped;
  }
};

/// Reads the words of a finished frame back from its triangles: a quad whose corners in the font's texture are those of
/// a glyph is that letter. It needs no help from the code that drew them.
class TextReader {
 public:
  TextReader() {
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
      for (const ImFontGlyph& glyph : font->Glyphs)
        if (glyph.Visible) letters_[{glyph.U0, glyph.V0}] = glyph.Codepoint;
  }

  std::vector<SeenText> read() const {
    std::vector<SeenText> all;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i) read(*data->CmdLists[i], all);
    return all;
  }

 private:
  void read(const ImDrawList& list, std::vector<SeenText>& all) const {
    for (const ImDrawCmd& command : list.CmdBuffer) {
      SeenText line;
      const auto end = [&] {
        if (!line.words.empty()) all.push_back(line);
        line = {};
      };
      for (unsigned at = 0; at + 6 <= command.ElemCount;) {
        const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + at)];
        const auto corner = [&](int k) -> const ImDrawVert& {
          return list.VtxBuffer[static_cast<int>(command.VtxOffset + index[k])];
        };
        const bool quad = index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[3] == index[0] &&
                          index[4] == index[2] && index[5] == index[0] + 3;
        const auto letter = quad ? letters_.find({corner(0).uv.x, corner(0).uv.y}) : letters_.end();
        if (letter == letters_.end()) {
          end();
          at += 3;
          continue;
        }
        const ImVec2 low = corner(0).pos, high = corner(2).pos;
        const float size = high.y - low.y;
        const bool goes_on = !line.words.empty() && low.x > line.min.x && low.x - line.max.x < 14 &&
                             low.y < line.max.y + 4 && high.y > line.min.y - 4;
        if (!goes_on) end();
        if (!line.words.empty() && low.x - line.max.x > 2.6f) line.words += ' ';
        line.words += utf8(letter->second);
        if (line.words.size() < 5 && line.max.x == 0) line.min = low, line.max = high;
        line.min = {line.min.x, std::min(line.min.y, low.y)};
        line.max = {high.x, std::max(line.max.y, high.y)};
        // Rows that are scrolled away above or below are not cut: they can be reached.
        const ImVec4& clip = command.ClipRect;
        const float middle = (low.y + high.y) / 2;
        line.clipped = line.clipped || (size > 2 && middle > clip.y && middle < clip.w &&
                                        (low.x < clip.x - 1.5f || high.x > clip.z + 1.5f));
        at += 6;
      }
      end();
    }
  }
  std::map<std::pair<float, float>, unsigned> letters_;
};

inline std::string without_spaces(std::string words) {
  std::erase(words, ' ');
  return words;
}
/// Whether the screen says this; spaces aside, which glyphs of one width hide between letters.
inline bool says(const std::string& part) {
  const auto all = TextReader().read();
  return std::any_of(all.begin(), all.end(), [wanted = without_spaces(part)](const SeenText& text) {
    return without_spaces(text.words).find(wanted) != std::string::npos;
  });
}

}  // namespace warploom
