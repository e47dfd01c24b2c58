#pragma once
#include <unistd.h>

#include <cstdio>
#include <string>

namespace warploom {

/// One line on stderr that is overwritten, and cleared at the end; nothing where stderr is no terminal.
class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine() {
    if (shown_) std::fputs(clear_line, stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text) {
    if (!terminal_) return;
    std::fprintf(stderr, "%s%s", clear_line, text.c_str());
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  static constexpr const char* clear_line = "\r\033[K";
  bool terminal_ = isatty(STDERR_FILENO) == 1, shown_ = false;
};

}  // namespace warploom
