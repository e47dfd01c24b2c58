#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/link_plan.h"
#include "gpu/core/queue.h"

namespace warploom {

/// What moves bytes between the devices of a team. A new engine is a class, and a line of make_link().
class Link {
 public:
  virtual ~Link() = default;
  /// "pools", "copies"
  virtual const char* engine() const = 0;
  /// Of its library; empty: it has none of its own.
  virtual std::string version() const { return {}; }
  /// Enqueues in the receiver's queue what comes to it. The team keeps the order: senders are done with what is read,
  /// and write it again when all is there.
  virtual void receive(Queue& receiver, const LinkPlan& plan, const std::vector<const void*>& from,
                       const std::vector<void*>& to) const = 0;
};

/// The usual one of a backend.
std::unique_ptr<Link> make_link(Backend backend);

}  // namespace warploom
