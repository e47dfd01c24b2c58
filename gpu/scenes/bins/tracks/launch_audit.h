#pragma once
#include <type_traits>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/scenes/bins/kernels/audit.h"

namespace warploom {

/// What counts the gather of an application.
template <class Application>
using AuditOf = std::conditional_t<Application::info.periodic, AuditBodies<Application>, AuditLattice<Application>>;

/// Launches it. Instantiated in a source of its own, which CMake makes: it takes as long to compile as the gathers.
template <class Application>
void launch_audit(Queue& queue, const LaunchShape& shape, const AuditOf<Application>& audit);

}  // namespace warploom
