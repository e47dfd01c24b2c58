#pragma once
#include <string>

namespace warploom {

/// One line on stderr that is written over, and taken away at the end; nothing where stderr is no terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);

 private:
  bool terminal_, shown_ = false;
};

}  // namespace warploom
