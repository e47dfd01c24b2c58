#pragma once
#include <optional>
#include <string>

#include "viewer/export/recorder.h"
#include "viewer/gl/window.h"
#include "viewer/model/model.h"

namespace warploom {

/// The film of a window: by --record from its first frame on, or by the command `record`. Errors are told, and end it.
class WindowFilm {
 public:
  WindowFilm(Model& model, std::string target, int rate) : model_(model), target_(std::move(target)), rate_(rate) {
    model_.teaching.record_wanted = !target_.empty();
  }
  /// After a frame was drawn into the bound framebuffer, so many seconds after the last.
  void frame(gl::Size size, double seconds);
  /// At the window's end.
  void finish();
  bool runs() const { return recorder_.has_value(); }

 private:
  void begin(gl::Size size);

  Model& model_;
  std::string target_;
  int rate_;
  std::optional<Recorder> recorder_;
  gl::Size size_{};
  double due_ = 0, longest_ = 0;
};

}  // namespace warploom
