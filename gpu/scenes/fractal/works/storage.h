#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/fractal/works/compact.h"
#include "gpu/scenes/fractal/works/embedded.h"
#include "gpu/scenes/fractal/works/sliced.h"

namespace warploom {

/// How the track of a map keeps its state. The first is the default. A storage is its file's name here, and its line:
/// the states of each are compiled once, in tracks/fractal/state.cu.
#define WARPLOOM_FRACTAL_STORAGES(one) one(Embedded) one(Compact)
/// ... and those that have a track of their own, which knows no map (tracks/entry.h).
#define WARPLOOM_FRACTAL_STATES(one) WARPLOOM_FRACTAL_STORAGES(one) one(Sliced)

#define WARPLOOM_TYPE(Storage) , Storage
using FractalStorages = decltype(without_first(TypeList<void WARPLOOM_FRACTAL_STORAGES(WARPLOOM_TYPE)>{}));
using FractalStates = decltype(without_first(TypeList<void WARPLOOM_FRACTAL_STATES(WARPLOOM_TYPE)>{}));
#undef WARPLOOM_TYPE

}  // namespace warploom
