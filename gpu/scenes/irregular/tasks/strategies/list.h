#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/irregular/tasks/strategies/lock_free_queue.h"
#include "gpu/scenes/irregular/tasks/strategies/locked_queue.h"
#include "gpu/scenes/irregular/tasks/strategies/rebalance.h"
#include "gpu/scenes/irregular/tasks/strategies/static_list.h"
#include "gpu/scenes/irregular/tasks/strategies/stealing.h"

namespace warploom {

/// How tasks come to blocks. A new strategy is one header and one line here; the order is that of the menu.
using TaskStrategies = TypeList<  //
    StaticList,                   // static_list.h
    LockedQueue,                  // locked_queue.h
    LockFreeQueue,                // lock_free_queue.h
    Stealing,                     // stealing.h
    Rebalance>;                   // rebalance.h

}  // namespace warploom
