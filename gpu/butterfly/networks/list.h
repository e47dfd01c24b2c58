#pragma once
#include "gpu/butterfly/networks/bitonic.h"
#include "gpu/butterfly/networks/brent_kung.h"
#include "gpu/butterfly/networks/cyclic_reduction.h"
#include "gpu/butterfly/networks/fft.h"
#include "gpu/butterfly/networks/kogge_stone.h"
#include "gpu/butterfly/networks/ladner_fischer.h"
#include "gpu/butterfly/networks/odd_even_merge.h"
#include "gpu/butterfly/networks/serial_scan.h"
#include "gpu/butterfly/networks/thomas.h"
#include "gpu/butterfly/networks/tridiagonal_ladner_fischer.h"
#include "gpu/butterfly/networks/wang_mou.h"
#include "gpu/core/type_list.h"

namespace warploom {

// A new network is one header and one line here.
using ScanNetworks = TypeList<KoggeStone, LadnerFischer, BrentKung, SerialScan>;
using TridiagonalNetworks =
    TypeList<CyclicReduction, ParallelCyclicReduction, WangMou, TridiagonalLadnerFischer, Thomas>;
using SortNetworks = TypeList<Bitonic, OddEvenMerge>;

}  // namespace warploom
