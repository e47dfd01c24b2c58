#pragma once  // only where CUDA compiles; elsewhere it is empty
// In place of cuda_fp16.h and mma.h, where NVRTC has no toolkit's folder: declared, so that headers that name tensor
// cores are read; a program that multiplies by them does not link.

#ifdef __CUDACC__
struct __half {
  unsigned short bits;
};
__device__ __half __float2half(float);

namespace nvcuda::wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
enum layout_t { mem_row_major, mem_col_major };
template <class, int, int, int, class, class = void>
struct fragment {};
template <class Fragment, class Value>
__device__ void load_matrix_sync(Fragment&, const Value*, unsigned);
template <class Fragment, class Value>
__device__ void load_matrix_sync(Fragment&, const Value*, unsigned, layout_t);
template <class D, class A, class B, class C>
__device__ void mma_sync(D&, const A&, const B&, const C&);
template <class Value, class Fragment>
__device__ void store_matrix_sync(Value*, const Fragment&, unsigned, layout_t);
}  // namespace nvcuda::wmma
#endif
