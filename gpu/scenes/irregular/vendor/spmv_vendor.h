#pragma once
#include <memory>
#include <string>

#include "gpu/core/shared_library.h"
#include "gpu/scenes/irregular/spmv/product.h"

namespace warploom {

/// Whose products the track `vendor` shows: cuSPARSE, opened when the program runs, never linked.
VendorLibrary spmv_vendor_library();
/// Why it cannot run on a backend, and what helps; empty: it can.
std::string spmv_vendor_missing(Backend backend);
/// The fastest of its algorithms for CSR, COO and sliced ELL on this matrix, or with `csr_alone` of those for CSR, as
/// timed here. Throws UsageError where it is missing, or the matrix has 2^31 nonzeros or more.
std::unique_ptr<SpmvProduct> make_spmv_vendor(Queue& queue, SpmvSource& source, bool csr_alone);

}  // namespace warploom
