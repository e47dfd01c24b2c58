// Products by cuSPARSE, where a user has it: opened when the program runs, never linked.
#include "gpu/scenes/irregular/vendor/spmv_vendor.h"

#include "gpu/core/error.h"

#if defined(__CUDACC__) && __has_include(<cusparse.h>)
#include <cusparse.h>
#if CUSPARSE_VERSION >= 12300
#define WARPLOOM_HAS_SPMV_VENDOR 1
#endif
#endif

#ifdef WARPLOOM_HAS_SPMV_VENDOR
#include <algorithm>

#include "gpu/core/launch.h"
#include "gpu/scenes/irregular/spmv/formats/coo_element.h"
#include "gpu/scenes/irregular/spmv/formats/csr.h"
#include "gpu/scenes/irregular/spmv/formats/sell_row.h"
#endif

namespace warploom {

#ifdef WARPLOOM_HAS_SPMV_VENDOR
namespace {

constexpr const char* spmv_vendor_file = "libcusparse.so." WARPLOOM_TEXT(CUSPARSE_VER_MAJOR);

/// Its functions, by the types of the header that was built against.
struct CusparseProducts {
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseSetStream) stream = nullptr;
  decltype(&cusparseCreateCsr) csr = nullptr;
  decltype(&cusparseCreateCoo) coo = nullptr;
  decltype(&cusparseCreateSlicedEll) sell = nullptr;
  decltype(&cusparseCreateDnVec) vector = nullptr;
  decltype(&cusparseDnVecSetValues) set_vector = nullptr;
  decltype(&cusparseDestroySpMat) destroy_matrix = nullptr;
  decltype(&cusparseDestroyDnVec) destroy_vector = nullptr;
  decltype(&cusparseSpMV_bufferSize) buffer_size = nullptr;
  decltype(&cusparseSpMV_preprocess) preprocess = nullptr;
  decltype(&cusparseSpMV) multiply = nullptr;

  bool load() {
    const SharedLibrary library(spmv_vendor_file);
    return library.find("cusparseCreate", create) && library.find("cusparseDestroy", destroy) &&
           library.find("cusparseSetStream", stream) && library.find("cusparseCreateCsr", csr) &&
           library.find("cusparseCreateCoo", coo) && library.find("cusparseCreateSlicedEll", sell) &&
           library.find("cusparseCreateDnVec", vector) && library.find("cusparseDnVecSetValues", set_vector) &&
           library.find("cusparseDestroySpMat", destroy_matrix) &&
           library.find("cusparseDestroyDnVec", destroy_vector) &&
           library.find("cusparseSpMV_bufferSize", buffer_size) &&
           library.find("cusparseSpMV_preprocess", preprocess) && library.find("cusparseSpMV", multiply);
  }
};

void check_product(cusparseStatus_t status, const char* what) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  const std::string said =
      std::string("cuSPARSE: ") + what + " failed with " + std::to_string(static_cast<int>(status));
  if (status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES)
    throw MemoryError(said + ": no memory for it");
  throw Error(said);
}

/// One format and algorithm, with the arrays of its matrix.
struct VendorWay {
  cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
  cusparseSpMatDescr_t matrix = nullptr;
  Buffer<std::uint8_t> workspace{};
};

class VendorProduct final : public SpmvProduct {
 public:
  VendorProduct(Queue& queue, SpmvSource& source, bool csr_alone)
      : library_(*loaded_once<CusparseProducts>()), rows_(source.host.rows), columns_(source.host.columns) {
    const Backend backend = queue.backend();
    check_product(library_.create(&handle_), "its start");
    try {
      Buffer<float> x(backend, columns_), y(backend, rows_);
      x.zero(queue);
      check_product(library_.vector(&x_, columns_, x.data(), CUDA_R_32F), "a vector");
      check_product(library_.vector(&y_, rows_, y.data(), CUDA_R_32F), "a vector");
      find_fastest(queue, source, csr_alone, x.data(), y.data());
    } catch (...) {
      give_back();
      throw;
    }
  }
  ~VendorProduct() override { give_back(); }
  VendorProduct& operator=(VendorProduct&&) = delete;  // neither copied nor moved

  void multiply(Queue& queue, const float* x, float* y) override {
    TimedSpan span(queue, "spmv.multiply", bytes() + 4 * (rows_ + columns_));
    run(queue, best_, x, y);
    span.finish();
  }
  std::uint64_t bytes() const override {
    return row_starts_.bytes() + row_of_.bytes() + columns_of_.bytes() + values_.bytes() + best_.workspace.bytes() +
           (sell_ ? sell_->bytes() : 0);
  }
  std::vector<float> stored(Queue&) const override { return {}; }

 private:
  static constexpr auto as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

  void run(Queue& queue, const VendorWay& way, const float* x, float* y) {
    const float one = 1, zero = 0;
    check_product(library_.stream(handle_, static_cast<cudaStream_t>(queue.stream())), "choosing a stream");
    check_product(library_.set_vector(x_, const_cast<float*>(x)), "a vector");
    check_product(library_.set_vector(y_, y), "a vector");
    check_product(library_.multiply(handle_, as_is, &one, way.matrix, x_, &zero, y_, CUDA_R_32F, way.algorithm,
                                    way.workspace.data()),
                  "a product");
  }
  /// Milliseconds of a product, the least of some.
  double prepare(Queue& queue, VendorWay& way, const float* x, float* y) {
    const float one = 1, zero = 0;
    std::size_t bytes = 0;
    check_product(library_.stream(handle_, static_cast<cudaStream_t>(queue.stream())), "choosing a stream");
    check_product(
        library_.buffer_size(handle_, as_is, &one, way.matrix, x_, &zero, y_, CUDA_R_32F, way.algorithm, &bytes),
        "asking for its workspace");
    way.workspace = Buffer<std::uint8_t>(queue.backend(), std::max<std::size_t>(1, bytes));
    check_product(library_.preprocess(handle_, as_is, &one, way.matrix, x_, &zero, y_, CUDA_R_32F, way.algorithm,
                                      way.workspace.data()),
                  "preparing");
    double least = 1e300;
    for (int i = 0; i < 6; ++i) {
      queue.wait();
      const double took = milliseconds_of([&] {
        run(queue, way, x, y);
        queue.wait();
      });
      if (i > 0) least = std::min(least, took);
    }
    return least;
  }

  void find_fastest(Queue& queue, SpmvSource& source, bool csr_alone, const float* x, float* y) {
    const Backend backend = queue.backend();
    const auto nonzeros = static_cast<std::int64_t>(source.host.nonzeros());
    IrregularSettings unsorted;
    unsorted.sigma = 1;
    // Sliced ELL only where its padding is not what decides.
    if (!csr_alone && SellRow::bytes(source.host, unsorted).bytes <= 4 * csr_bytes("", source.host).bytes) {
      sell_layout_ = std::make_unique<const SellRow::Layout>(source.host, unsorted);
      sell_ = std::make_unique<SellRow::Product>(queue, source, *sell_layout_);
    }
    if (!csr_alone) {
      row_of_ = Buffer<std::uint32_t>(backend, source.host.nonzeros());
      each_nonzero(queue, source, CooElement::Expand{row_of_.data()});
    }
    row_starts_ = std::move(source.row_starts);
    columns_of_ = std::move(source.columns);
    values_ = std::move(source.values);
    const auto csr = [&](cusparseSpMatDescr_t* to) {
      return library_.csr(to, rows_, columns_, nonzeros, row_starts_.data(), columns_of_.data(), values_.data(),
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    };
    const auto coo = [&](cusparseSpMatDescr_t* to) {
      return library_.coo(to, rows_, columns_, nonzeros, row_of_.data(), columns_of_.data(), values_.data(),
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    };
    const auto sell = [&](cusparseSpMatDescr_t* to) {
      return library_.sell(to, rows_, columns_, nonzeros, static_cast<std::int64_t>(sell_layout_->stored()), 32,
                           const_cast<std::uint32_t*>(sell_->starts()), const_cast<std::int32_t*>(sell_->columns()),
                           const_cast<float*>(sell_->values()), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    };
    double least = 1e300;
    const auto tried = [&](cusparseSpMVAlg_t algorithm, const auto& describe) {
      VendorWay way{algorithm};
      check_product(describe(&way.matrix), "a matrix");
      try {
        const double took = prepare(queue, way, x, y);
        if (took < least) {
          least = took;
          std::swap(way, best_);
        }
      } catch (...) {
        library_.destroy_matrix(way.matrix);
        throw;
      }
      if (way.matrix) library_.destroy_matrix(way.matrix);
    };
    tried(CUSPARSE_SPMV_CSR_ALG1, csr);
    tried(CUSPARSE_SPMV_CSR_ALG2, csr);
    if (!csr_alone) {
      tried(CUSPARSE_SPMV_COO_ALG1, coo);
      tried(CUSPARSE_SPMV_COO_ALG2, coo);
    }
    if (sell_) tried(CUSPARSE_SPMV_SELL_ALG1, sell);
    // The arrays of the others go.
    const bool is_coo = best_.algorithm == CUSPARSE_SPMV_COO_ALG1 || best_.algorithm == CUSPARSE_SPMV_COO_ALG2;
    if (best_.algorithm == CUSPARSE_SPMV_SELL_ALG1) {
      row_starts_ = {}, row_of_ = {}, columns_of_ = {}, values_ = {};
    } else {
      sell_.reset();
      is_coo ? row_starts_ = {} : row_of_ = {};
    }
  }
  void give_back() {
    if (best_.matrix) library_.destroy_matrix(best_.matrix);
    if (x_) library_.destroy_vector(x_);
    if (y_) library_.destroy_vector(y_);
    library_.destroy(handle_);
  }

  const CusparseProducts& library_;
  std::uint64_t rows_, columns_;
  cusparseHandle_t handle_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
  Buffer<std::uint32_t> row_starts_, row_of_;
  Buffer<std::int32_t> columns_of_;
  Buffer<float> values_;
  std::unique_ptr<const SellRow::Layout> sell_layout_;
  std::unique_ptr<SellRow::Product> sell_;
  VendorWay best_;
};

}  // namespace
#endif

VendorLibrary spmv_vendor_library() {
#ifdef WARPLOOM_HAS_SPMV_VENDOR
  return {"cuSPARSE", spmv_vendor_file, "spmv on CUDA", is_loaded<CusparseProducts>(),
          "install the CUDA toolkit's cuSPARSE, or name its folder in WARPLOOM_VENDOR_LIBRARIES"};
#else
  return {"cuSPARSE", "libcusparse.so", "spmv on CUDA", false,
          "this build knows none; build where cusparse.h of 12.3 or newer is"};
#endif
}

std::string spmv_vendor_missing(Backend backend) {
  if (backend == Backend::cpu) return "there is no vendor's product on the CPU; choose csr/merge";
  const VendorLibrary library = spmv_vendor_library();
  return library.there ? std::string() : std::string(library.file) + " is not there: " + library.remedy;
}

std::unique_ptr<SpmvProduct> make_spmv_vendor(Queue& queue, [[maybe_unused]] SpmvSource& source,
                                              [[maybe_unused]] bool csr_alone) {
  if (const std::string why = spmv_vendor_missing(queue.backend()); !why.empty())
    throw UsageError("track vendor: " + why);
#ifdef WARPLOOM_HAS_SPMV_VENDOR
  if (source.host.nonzeros() >> 31)
    throw UsageError("track vendor: cuSPARSE counts at most 2^31 - 1 nonzeros with 32 bits; choose csr/merge");
  return std::make_unique<VendorProduct>(queue, source, csr_alone);
#else
  return nullptr;
#endif
}

}  // namespace warploom
