#include "viewer/cli/progress_line.h"

#include <unistd.h>

#include <cstdio>

namespace warploom {

namespace {
constexpr const char* clear_line = "\r\033[K";
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs(clear_line, stderr);
}

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  std::fprintf(stderr, "%s%s", clear_line, text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace warploom
