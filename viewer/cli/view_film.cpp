#include "viewer/cli/view_film.h"

#include <fmt/format.h>

#include "viewer/base/say.h"
#include "viewer/gl/state.h"

namespace warploom {

void WindowFilm::begin(gl::Size size) {
  if (target_.empty()) target_ = new_film(model_.save_folder);
  recorder_.emplace(target_, size.width, size.height, rate_);
  size_ = size;
  due_ = 0;
  longest_ = longest_film(target_, size.width, size.height, rate_);
  model_.teaching.recorded = 0;
  model_.tell(fmt::format("filming, for {:.0f} s at most; Ctrl+R ends the film", longest_));
}

void WindowFilm::frame(gl::Size size, double seconds) {
  Teaching& teaching = model_.teaching;
  try {
    if (teaching.record_wanted) {
      teaching.record_wanted = false;
      if (recorder_) return finish();
      begin(size);
    }
    if (!recorder_) return;
    if (size.width != size_.width || size.height != size_.height) {
      finish();
      return model_.tell("the window has another size: the film ends, " + model_.notice);
    }
    teaching.recorded += seconds;
    due_ += seconds * rate_;
    // The film has its own clock: a slow frame stands in it for as long as it stood on the screen.
    for (; due_ >= 1; due_ -= 1) recorder_->add(gl::read_pixels(size.width, size.height));
    if (teaching.recorded > longest_) finish();
  } catch (const std::exception& error) {
    recorder_.reset();
    target_.clear();
    teaching.recorded = -1;
    model_.tell(error.what(), true);
  }
}

void WindowFilm::finish() {
  if (!recorder_) return;
  try {
    recorder_->finish();
    model_.tell("filmed " + std::filesystem::absolute(recorder_->target()).string());
  } catch (const std::exception& error) {
    say("{}", error.what());
    model_.tell(error.what(), true);
  }
  recorder_.reset();
  target_.clear();
  model_.teaching.recorded = -1;
}

}  // namespace warploom
