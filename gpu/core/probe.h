#pragma once
namespace warploom {

/// Runs a kernel on the CUDA device and checks what it wrote; throws Error when that fails. Nothing without CUDA.
void run_probe_kernel();

}  // namespace warploom
