#pragma once
namespace warploom {

/// Runs a kernel on the CUDA device and checks what it wrote; throws Error when that fails. Nothing without CUDA.
void run_probe_kernel();

/// Launches a kernel that does nothing, untimed. A device that draws and computes in turn needs 0.16 ms (seen on an
/// H200) to change over; that falls to the first kernel after it, and must not be billed to the first track.
void settle(class Queue& queue);

}  // namespace warploom
