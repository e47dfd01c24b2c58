#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/bins/access/compact_bin.h"
#include "gpu/scenes/bins/access/compact_layouts.h"
#include "gpu/scenes/bins/access/compact_range.h"
#include "gpu/scenes/bins/access/compact_subproblem.h"
#include "gpu/scenes/bins/access/compact_trimmed.h"
#include "gpu/scenes/bins/access/none_gather.h"
#include "gpu/scenes/bins/access/none_scatter.h"
#include "gpu/scenes/bins/access/regular_count.h"
#include "gpu/scenes/bins/access/regular_range.h"
#include "gpu/scenes/bins/access/regular_sentinel.h"

namespace warploom {

/// How outputs read elements. A new access is one header and one line here.
using BinAccesses = TypeList<  //
    NoneGather,                //
    RegularCount,              //
    RegularSentinel,           //
    RegularRange,              //
    CompactBin,                //
    CompactPaddedBins,         //
    CompactRange,              //
    CompactArrays,             //
    CompactVectors,            //
    CompactPaddedElements,     //
    CompactTrimmed>;

/// How elements add to outputs. A new spread is one header and one line here.
using BinSpreads = TypeList<  //
    NoneScatter,              //
    CompactSubproblem>;

}  // namespace warploom
