#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/butterfly/networks/bitonic.h"
#include "gpu/scenes/butterfly/networks/brent_kung.h"
#include "gpu/scenes/butterfly/networks/cyclic_reduction.h"
#include "gpu/scenes/butterfly/networks/fft.h"
#include "gpu/scenes/butterfly/networks/kogge_stone.h"
#include "gpu/scenes/butterfly/networks/ladner_fischer.h"
#include "gpu/scenes/butterfly/networks/odd_even_merge.h"
#include "gpu/scenes/butterfly/networks/serial_scan.h"
#include "gpu/scenes/butterfly/networks/thomas.h"
#include "gpu/scenes/butterfly/networks/tridiagonal_ladner_fischer.h"
#include "gpu/scenes/butterfly/networks/wang_mou.h"

namespace warploom {

// A new network is one header and one line here; the comment names its kernels' source, which CMake makes of the line.
using ScanNetworks = TypeList<         //
    KoggeStone,                        // kogge_stone.h
    LadnerFischer,                     // ladner_fischer.h
    BrentKung,                         // brent_kung.h
    SerialScan>;                       // serial_scan.h
using TridiagonalNetworks = TypeList<  //
    CyclicReduction,                   // cyclic_reduction.h
    ParallelCyclicReduction,           // parallel_cyclic_reduction
    WangMou,                           // wang_mou.h
    TridiagonalLadnerFischer,          // tridiagonal_ladner_fischer.h
    Thomas>;                           // thomas.h
using SortNetworks = TypeList<Bitonic, OddEvenMerge>;

}  // namespace warploom
