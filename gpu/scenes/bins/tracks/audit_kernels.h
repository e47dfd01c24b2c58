#pragma once
#include "gpu/core/launch.h"
#include "gpu/scenes/bins/tracks/launch_audit.h"

namespace warploom {

/// For the sources that instantiate it.
template <class Application>
void launch_audit(Queue& queue, const LaunchShape& shape, const AuditOf<Application>& audit) {
  launch("bins.audit", queue, shape, audit);
}

}  // namespace warploom
