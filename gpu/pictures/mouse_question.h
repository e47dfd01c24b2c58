#pragma once
#include <memory>
#include <optional>

#include "gpu/core/answer.h"
#include "gpu/pictures/picture_request.h"

namespace warploom {

/// What lies under the mouse, where kernels tell: at once where it moved; where it rests over a picture that changes,
/// the answer comes with a later frame, and nobody waits. The window's thread.
template <class Value>
class MouseQuestion {
 public:
  /// `serial` changes with what the picture is made of. `launch(Value* to)` launches what answers into `queue`; what it
  /// throws is thrown, and nothing was asked.
  template <class Launch>
  const Value& answer(Queue& queue, const PictureRequest& request, double x, double y, std::uint64_t serial,
                      Launch&& launch) {
    const Asked asked{request, x, y, serial};
    const bool rests = asked_ && asked_->request == request && asked_->x == x && asked_->y == y;
    if (waits_ && rests && !answer_->there()) return answered_;
    take();
    if (asked_ == asked) return answered_;
    asked_.reset();
    if (!answer_) answer_ = std::make_unique<Answer<Value>>(queue.backend());
    launch(answer_->data());
    answer_->asked(queue);
    asked_ = asked;
    waits_ = true;
    if (!rests) take();
    return answered_;
  }

 private:
  struct Asked {
    PictureRequest request;
    double x = 0, y = 0;
    std::uint64_t serial = 0;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  void take() {
    if (waits_) answered_ = answer_->get();
    waits_ = false;
  }

  std::optional<Asked> asked_;
  Value answered_{};
  bool waits_ = false;
  std::unique_ptr<Answer<Value>> answer_;
};

}  // namespace warploom
