#include "viewer/cli/view_film.h"

#include <imgui.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/format.h"
#include "viewer/base/say.h"
#include "viewer/gl/state.h"

namespace warploom {

void WindowFilm::begin(gl::Size size) {
  if (!model_.teaching.record_to.empty()) target_ = std::exchange(model_.teaching.record_to, {});
  if (target_.empty()) target_ = new_film(model_.save_folder);
  recorder_.emplace(target_, size.width, size.height, rate_);
  size_ = size;
  due_ = 0;
  longest_ = longest_film(target_, size.width, size.height, rate_);
  model_.teaching.recorded = 0;
  const double seconds = std::floor(longest_);
  model_.tell(fmt::format("filming to {}, {} at most", target_,
                          seconds < 120 ? counted(static_cast<std::uint64_t>(seconds), "second")
                                        : counted(static_cast<std::uint64_t>(seconds / 60), "minute")));
}

void WindowFilm::frame(gl::Size size, double seconds) {
  Teaching& teaching = model_.teaching;
  ImGui::GetIO().MouseDrawCursor = recorder_ || teaching.record_wanted;  // it is in the film, and hides the desktop's
  try {
    if (teaching.record_wanted) {
      teaching.record_wanted = false;
      if (recorder_) return finish();
      begin(size);
    }
    if (!recorder_) return;
    if (std::exchange(teaching.cancelled, false)) {
      recorder_.reset();
      target_.clear();
      teaching.recorded = -1;
      failed_ = std::exchange(by_option_, false) || failed_;
      return model_.tell("the film was given up");
    }
    if (size.width != size_.width || size.height != size_.height) {
      finish();
      return model_.tell("the window has another size: the film ends, " + model_.notice);
    }
    teaching.recorded += seconds;
    // The film has its own clock: a slow frame stands in it for as long as it stood on the screen, up to a tenth of a
    // second: what encodes too slowly must not make the next frame slower still.
    due_ = by_frames_ ? 1 : std::min(due_ + seconds * rate_, std::max(1., rate_ / 10.));
    if (due_ < 1) return;
    const auto pixels = pixels_ ? pixels_(size) : gl::read_pixels(size.width, size.height);
    for (; due_ >= 1; due_ -= 1) recorder_->add(pixels);
    if (teaching.recorded > longest_) finish();
  } catch (const std::exception& error) {
    recorder_.reset();
    target_.clear();
    teaching.recorded = -1;
    model_.tell(error.what(), true);
    fails(error);
  }
}

void WindowFilm::fails(const std::exception& error) {
  if (!std::exchange(by_option_, false)) return;
  failed_ = true;
  say("{}", error.what());
}

void WindowFilm::finish() {
  if (!recorder_) return;
  try {
    recorder_->finish();
    model_.tell("filmed " + std::filesystem::absolute(recorder_->target()).string());
  } catch (const std::exception& error) {
    if (!by_option_) say("{}", error.what());
    model_.tell(error.what(), true);
    fails(error);
  }
  by_option_ = false;  // the next is by a key
  recorder_.reset();
  target_.clear();
  model_.teaching.recorded = -1;
}

}  // namespace warploom
