#include "gpu/bench/suites.h"

namespace warploom::bench {

const std::vector<Suite>& all_suites() {
  static const std::vector<Suite> all{
      {"ceilings", "what the machine can do: copies, atomics, block dispatch, arithmetic, shared memory", run_ceilings},
      {"fractal", "every track on fractals over a curve of sizes, against the bounding box", run_fractal},
      {"simplex", "roots, maps and layouts of triangles and tetrahedra, against the bounding box", run_simplex},
  };
  return all;
}

}  // namespace warploom::bench
