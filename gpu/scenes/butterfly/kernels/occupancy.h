#pragma once

// How many blocks a multiprocessor holds, by the rules that papers of its time counted by.
namespace warploom {

/// What a multiprocessor has, and in which portions it gives it away.
struct Multiprocessor {
  const char* name;
  int warps, blocks;  ///< that it holds at most
  int registers;      ///< of 32 bits
  int shared_bytes;
  int registers_rounded;  ///< a warp's registers are a multiple of so many
  int parts;              ///< that share its registers out, each to warps of its own
};

/// Those that published figures are of. Sources: lobeiras2015bplg, lobeiras2016indexdigit.
inline constexpr Multiprocessor published_multiprocessors[] = {
    {"Fermi", 48, 8, 32768, 49152, 64, 1},
    {"Kepler", 64, 16, 65536, 49152, 256, 4},
    {"Maxwell", 64, 32, 65536, 65536, 256, 4},
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
  if (block.shared_bytes > 0) at_most(has.shared_bytes / block.shared_bytes, "shared memory");
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
    {"Kepler", 2, 5, {128, 18, 2048}, 16, 1.00},  {"Kepler", 6, 9, {128, 28, 4096}, 12, .75},
    {"Kepler", 10, 10, {256, 27, 8192}, 6, .75},  {"Kepler", 11, 11, {256, 37, 16384}, 3, .38},
    {"Kepler", 12, 12, {512, 36, 32768}, 1, .25},
};

}  // namespace warploom
