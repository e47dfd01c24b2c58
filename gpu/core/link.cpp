#include "gpu/core/link.h"

#include "gpu/core/buffer.h"

namespace warploom {

namespace {

/// The receiver copies: a pool by its own thread, a card by its copy engines, between devices that reach each other
/// directly and else through the host.
class CopyLink final : public Link {
 public:
  explicit CopyLink(const char* engine) : engine_(engine) {}
  const char* engine() const override { return engine_; }
  void receive(Queue& receiver, const LinkPlan& plan, const std::vector<const void*>& from,
               const std::vector<void*>& to) const override {
    const int own = receiver.device().number;
    auto* const here = static_cast<std::uint8_t*>(to[static_cast<std::size_t>(own)]);
    for (const Transfer& one : plan.transfers) {
      const auto* const there = static_cast<const std::uint8_t*>(from[static_cast<std::size_t>(one.from)]);
      if (one.to == own) copy_bytes(receiver, here + one.to_byte, there + one.from_byte, one.bytes);
    }
  }

 private:
  const char* engine_;
};

}  // namespace

std::unique_ptr<Link> make_link(Backend backend) {
  return std::make_unique<CopyLink>(backend == Backend::cuda ? "copies" : "pools");
}

}  // namespace warploom
