#pragma once
#include <chrono>
#include <memory>
#include <optional>

#include "gpu/core/answer.h"
#include "gpu/pictures/picture_request.h"

namespace warploom {

/// What lies under the mouse, where kernels tell: at once where it moved; where it rests over a picture that changes,
/// the answer comes with a later frame, and nothing waits. The window's thread.
template <class Value>
class MouseQuestion {
 public:
  /// `serial` changes with what the picture is made of. `launch(Value* to)` launches what answers into `queue`; what it
  /// throws is thrown, and nothing was asked.
  template <class Launch>
  const Value& answer(Queue& queue, const PictureRequest& request, double x, double y, std::uint64_t serial,
                      Launch&& launch) {
    const Asked asked{request.camera, request.solid, request.target.width, request.target.height, x, y, serial};
    const bool rests = asked_ && asked_->same_place(asked);
    if (waits_ && rests && !answer_->there()) return answered_;
    take();
    // What takes long is not asked all the time.
    if (rests && Clock::now() - when_ < 20 * took_) return answered_;
    if (asked_ == asked) return answered_;
    asked_.reset();
    if (!answer_) answer_ = std::make_unique<Answer<Value>>(queue.backend());
    when_ = Clock::now();
    launch(answer_->data());
    answer_->asked(queue);
    asked_ = asked;
    waits_ = true;
    if (!rests || queue.backend() == Backend::cpu) take();
    return answered_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// What of a request says where things lie; how they are coloured says nothing.
  struct Asked {
    Camera camera;
    SolidView solid;
    int width = 0, height = 0;
    double x = 0, y = 0;
    std::uint64_t serial = 0;
    friend bool operator==(const Asked&, const Asked&) = default;
    bool same_place(Asked other) const {
      other.serial = serial;
      return *this == other;
    }
  };
  void take() {
    if (!waits_) return;
    answered_ = answer_->get();
    took_ = Clock::now() - when_;
    waits_ = false;
  }

  std::optional<Asked> asked_;
  Value answered_{};
  bool waits_ = false;
  Clock::time_point when_{};
  Clock::duration took_{};
  std::unique_ptr<Answer<Value>> answer_;
};

}  // namespace warploom
