#pragma once
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "viewer/export/recorder.h"
#include "viewer/gl/window.h"
#include "viewer/model/model.h"

namespace warploom {

/// The film of a window: by --record from its first frame on, or by the command `record`. Errors are told, and end it.
class WindowFilm {
 public:
  /// pixels(size) gives what was drawn, top row first; null: the bound framebuffer. `by_frames`: each frame that is
  /// drawn is one of the film, however long it took.
  WindowFilm(Model& model, std::string target, int rate, std::function<std::vector<Rgba>(gl::Size)> pixels = nullptr,
             bool by_frames = false)
      : model_(model),
        target_(std::move(target)),
        rate_(rate),
        by_frames_(by_frames),
        by_option_(!target_.empty()),
        pixels_(std::move(pixels)) {
    model_.teaching.record_wanted = !target_.empty();
  }
  /// After a frame was drawn, so many seconds after the last.
  void frame(gl::Size size, double seconds);
  /// At the window's end.
  void finish();
  bool runs() const { return recorder_.has_value(); }
  /// The film that --record asked for is not there.
  bool failed() const { return failed_; }

 private:
  void begin(gl::Size size);
  void fails(const std::exception& error);

  Model& model_;
  std::string target_;
  int rate_;
  bool by_frames_, by_option_, failed_ = false;
  std::function<std::vector<Rgba>(gl::Size)> pixels_;
  std::optional<Recorder> recorder_;
  gl::Size size_{};
  double due_ = 0, longest_ = 0;
};

}  // namespace warploom
