#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/irregular/spmv/formats/coo_element.h"
#include "gpu/scenes/irregular/spmv/formats/csr_merge.h"
#include "gpu/scenes/irregular/spmv/formats/csr_row.h"
#include "gpu/scenes/irregular/spmv/formats/csr_warp.h"
#include "gpu/scenes/irregular/spmv/formats/dense_row.h"
#include "gpu/scenes/irregular/spmv/formats/dia_row.h"
#include "gpu/scenes/irregular/spmv/formats/ell_row.h"
#include "gpu/scenes/irregular/spmv/formats/hyb_row.h"
#include "gpu/scenes/irregular/spmv/formats/sell_row.h"

namespace warploom {

/// Formats with their schedules, in the order of the menu. A new one is one header and one line here; the comment names
/// the header: CMake makes a source of the line.
using SpmvFormats = TypeList<  //
    DenseRow,                  // dense_row.h
    DiaRow,                    // dia_row.h
    EllRow,                    // ell_row.h
    CooElement,                // coo_element.h
    CsrRow,                    // csr_row.h
    CsrWarp,                   // csr_warp.h
    CsrMerge,                  // csr_merge.h
    HybRow,                    // hyb_row.h
    SellRow>;                  // sell_row.h

}  // namespace warploom
