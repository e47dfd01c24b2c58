#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/files/input.h"
#include "gpu/files/states.h"

namespace warploom {

namespace {

/// Golly's run-length format: comments, a header, runs of cells up to '!'. Sizes of the header place the
/// pattern; the cells may fill more.
class RleReader {
 public:
  RleReader(const std::filesystem::path& file, const std::string& text, const Index3& extent)
      : file_(file), lines_(with_plain_lines(text)), extent_(extent) {}

  StateFile read() {
    bool ended = false;
    for (std::string line; !ended && std::getline(lines_, line);) {
      ++number_;
      line.erase(0, line.find_first_not_of(" \t\v\f"));  // of a blank line all
      if (line.empty()) continue;
      if (line[0] == '#')
        remark(line);
      else if (!header_)
        header(line);
      else
        ended = cells(line);
    }
    if (!header_) throw refuse("no header 'x = WIDTH, y = HEIGHT' found");
    if (!ended && run_) throw refuse("it is cut off: it ends after the count " + std::to_string(run_));
    return filled();
  }

 private:
  struct Run {
    std::uint64_t x, y, cells;
  };

  FileError refuse(const std::string& why) const {
    return FileError(file_.string() + ":" + std::to_string(number_) + ": " + why);
  }
  FileError too_large(const std::string& what, std::uint64_t width, std::uint64_t height) const {
    return refuse(what + std::to_string(width) + " x " + std::to_string(height) + " cells (x, y), the domain has " +
                  std::to_string(extent_.x) + " x " + std::to_string(extent_.y) + "; choose a higher level");
  }

  /// XLife names the rule in a comment: "#r 23/3". A header that names one comes later and counts.
  void remark(const std::string& line) {
    if (!line.starts_with("#r") || line.size() < 3 || !std::isspace(static_cast<unsigned char>(line[2]))) return;
    std::istringstream words(line.substr(2));
    std::string rule;
    if (!header_ && words >> rule) state_.rule = rule;
  }

  void header(const std::string& line) {
    long long width = 0, height = 0;
    if (std::sscanf(line.c_str(), "x = %lld , y = %lld", &width, &height) != 2)
      throw refuse("expected a header 'x = WIDTH, y = HEIGHT[, rule = B3/S23]', found " + shown(line));
    if (width < 0 || height < 0)
      throw refuse("a pattern of " + std::to_string(width) + " x " + std::to_string(height) + " cells: a size below 0");
    width_ = static_cast<std::uint64_t>(width);
    height_ = static_cast<std::uint64_t>(height);
    if (width_ > extent_.x || height_ > extent_.y) throw too_large("a state of ", width_, height_);
    if (const auto at = line.find("rule"); at != std::string::npos) {
      std::string rule = line.substr(line.find('=', at) + 1);
      std::erase_if(rule, [](unsigned char c) { return std::isspace(c); });
      const auto grid = rule.find(':');
      state_.rule = rule.substr(0, grid);
      if (grid != std::string::npos) state_.bounded_grid = rule.substr(grid + 1);
    }
    header_ = true;
  }

  /// One line of runs; true after the '!' that ends the pattern.
  bool cells(const std::string& line) {
    for (const char c : line) {
      if (std::isspace(static_cast<unsigned char>(c))) continue;
      if (c >= '0' && c <= '9') {
        run_ = run_ * 10 + static_cast<std::uint64_t>(c - '0');
        if (run_ > 0x7fffffff) throw refuse("a run of more than 2^31 cells");
        continue;
      }
      const std::uint64_t times = std::max<std::uint64_t>(1, std::exchange(run_, 0));
      if (c == '!') return true;
      if (c == '$') {
        y_ += times;
        x_ = 0;
      } else if (c == 'b' || c == '.') {
        x_ += times;
      } else if (c == 'o' || c == 'A') {
        if (x_ + times > extent_.x || y_ >= extent_.y) throw too_large("live cells in ", x_ + times, y_ + 1);
        runs_.push_back({x_, y_, times});
        x_ += times;
      } else {
        throw refuse("character " + shown({&c, 1}) + "; expected digits, b, o, $ or !");
      }
    }
    return false;
  }

  /// The box is what the cells fill where that is more than the header says; of an empty universe it is one dead cell.
  StateFile filled() {
    std::uint64_t width = std::max<std::uint64_t>(width_, 1), height = std::max<std::uint64_t>(height_, 1);
    for (const Run& run : runs_) {
      width = std::max(width, run.x + run.cells);
      height = std::max(height, run.y + 1);
    }
    if (width_ && height_ && (width > width_ || height > height_))
      state_.remarks.push_back("its header says " + std::to_string(width_) + " x " + std::to_string(height_) +
                               ", its cells fill " + std::to_string(width) + " x " + std::to_string(height));
    state_.width = static_cast<std::uint32_t>(width);
    state_.height = static_cast<std::uint32_t>(height);
    state_.centred = true;
    state_.cells.assign(width * height, 0);
    for (const Run& run : runs_) std::memset(state_.cells.data() + run.y * width + run.x, 1, run.cells);
    return std::move(state_);
  }

  const std::filesystem::path& file_;
  std::istringstream lines_;
  const Index3 extent_;
  StateFile state_;
  std::vector<Run> runs_;
  int number_ = 0;
  bool header_ = false;
  std::uint64_t width_ = 0, height_ = 0, x_ = 0, y_ = 0, run_ = 0;
};

StateFile read_rle(const std::filesystem::path& file, const std::string& text, const Index3& extent) {
  return RleReader(file, text, extent).read();
}

}  // namespace

StateReader rle_states() { return {".rle", "Golly", read_rle}; }

}  // namespace warploom
