#pragma once

// How many blocks a multiprocessor holds, by the rules of its architecture.
namespace warploom {

/// What a multiprocessor has, and in which portions it gives it away.
struct Multiprocessor {
  const char* name;
  int warps, blocks;  ///< that it holds at most
  int registers;      ///< of 32 bits
  int shared_bytes;
  int registers_rounded;  ///< a warp's registers are a multiple of so many
  int parts;              ///< that share its registers out, each to warps of its own
  int shared_reserved;    ///< bytes of shared memory that a block takes beside its own
};

/// The newest first: cards of today (compute capability 9.0 and 8.0; source: nvidia2025guide), then those that
/// published figures are of (sources: lobeiras2015bplg, lobeiras2016indexdigit).
inline constexpr Multiprocessor multiprocessors[] = {
    {"Hopper (H100)", 64, 32, 65536, 233472, 256, 4, 1024}, {"Ampere (A100)", 64, 32, 65536, 167936, 256, 4, 1024},
    {"Maxwell (2014)", 64, 32, 65536, 65536, 256, 4, 0},    {"Kepler (2012)", 64, 16, 65536, 49152, 256, 4, 0},
    {"Fermi (2010)", 48, 8, 32768, 49152, 64, 1, 0},
};

/// What a block asks for.
struct BlockNeeds {
  int threads, registers;  ///< registers: of a thread; 0: none to speak of
  int shared_bytes;
};

struct Occupancy {
  int blocks = 0;
  double share = 0;        ///< of the warps
  const char* limit = "";  ///< "blocks", "warps", "registers", "shared memory"
};

/// What is asked for must be above 0, but registers and shared bytes.
inline Occupancy occupancy_of(const Multiprocessor& has, const BlockNeeds& block) {
  constexpr int warp = 32;
  const int warps = (block.threads + warp - 1) / warp;
  Occupancy found{has.blocks, 0, "blocks"};
  const auto at_most = [&](int blocks, const char* limit) {
    if (blocks < found.blocks) found = {blocks, 0, limit};
  };
  at_most(has.warps / warps, "warps");
  if (block.registers > 0) {
    const int unit = has.registers_rounded, of_warp = (warp * block.registers + unit - 1) / unit * unit;
    // Every part gives whole warps their registers.
    at_most(has.parts * (has.registers / has.parts / of_warp) / warps, "registers");
  }
  if (const int shared = block.shared_bytes + has.shared_reserved; shared > 0)
    at_most(has.shared_bytes / shared, "shared memory");
  found.share = static_cast<double>(found.blocks * warps) / has.warps;
  return found;
}

/// A published row: what a kernel took, and how many blocks a multiprocessor held of it.
struct PublishedOccupancy {
  const char* multiprocessor;
  int first_n, last_n;  ///< log2 of the lengths it is for
  BlockNeeds needs;
  int blocks;
  double share;
};
/// Of the complex transforms of BPLG, on Kepler. Source: lobeiras2015bplg.
inline constexpr PublishedOccupancy published_occupancy[] = {
    {"Kepler (2012)", 2, 5, {128, 18, 2048}, 16, 1.00},  {"Kepler (2012)", 6, 9, {128, 28, 4096}, 12, .75},
    {"Kepler (2012)", 10, 10, {256, 27, 8192}, 6, .75},  {"Kepler (2012)", 11, 11, {256, 37, 16384}, 3, .38},
    {"Kepler (2012)", 12, 12, {512, 36, 32768}, 1, .25},
};

}  // namespace warploom
