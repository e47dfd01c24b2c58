#pragma once
#include <string>
#include <vector>

// Figures of papers, to be made again on the user's machine: what was printed, what a law promises,
// and what is to be measured.
namespace warploom::bench {

/// Points that a paper printed, or that a law promises.
struct PaperCurve {
  std::string name;    ///< with the hardware, where it was measured
  std::string source;  ///< a key of gpu/REFERENCES.md
  std::vector<double> x = {}, y = {};
};

/// What is measured: a track, and the one it is compared with where the figure shows speed-ups.
struct PaperTrack {
  std::string name, track, against = {};
};

struct PaperFigure {
  enum class Across { side, block };  ///< x: n, or the block's side rho
  enum class Shows { speed_up, milliseconds, memory_gain };

  std::string key, title, brief;  ///< brief: for a small plot, with the unit
  Across across = Across::side;
  Shows shows = Shows::speed_up;
  std::string fractal, work;
  std::vector<int> levels, cpu_levels;  ///< of a GPU, and of a CPU; one alone across blocks
  int block = 0;                        ///< the block's side for all; 0: each track at its best, or across blocks
  std::vector<PaperTrack> tracks = {};
  std::vector<PaperCurve> printed = {}, promised = {};

  std::string x_name() const;  ///< "n", "rho"
  std::string y_name() const;  ///< with its unit
};

/// Throws UsageError with the nearest.
const PaperFigure& find_paper_figure(const std::vector<PaperFigure>& all, const std::string& key);

}  // namespace warploom::bench
