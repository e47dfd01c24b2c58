#include "viewer/scenes/irregular/parameters.h"

#include <algorithm>

#include "gpu/files/input.h"
#include "gpu/scenes/irregular/tasks/application.h"
#include "viewer/model/scene_of.h"

namespace warploom {

namespace {

bool is_file(const std::string& keys) { return keys.ends_with(".npy") || keys.ends_with(".NPY"); }

}  // namespace

IrregularSettings IrregularParams::settings(const std::filesystem::path& folder) const {
  IrregularSettings all;
  all.system = system;
  all.seed = seed;
  all.folder = folder;
  all.matrix = matrix;
  all.n = n;
  all.values = values;
  all.hyb_width = hyb_width;
  all.row_lanes = static_cast<int>(row_lanes);
  all.items = static_cast<int>(items);
  all.sigma = sigma;
  all.keys = keys;
  all.side = side;
  all.hits = hits;
  all.load = load;
  all.hash = hash;
  all.bucket = static_cast<int>(bucket);
  all.points = points;
  all.dimension = static_cast<int>(dimension);
  all.leaf = static_cast<int>(leaf);
  all.compact_every = static_cast<int>(compact_every);
  all.application = application;
  all.clock = clock;
  all.size = static_cast<int>(size);
  all.iterations = static_cast<int>(iterations);
  all.blocks = static_cast<int>(blocks);
  all.probability = probability;
  all.grain = static_cast<int>(grain);
  all.capacity = capacity;
  all.timeline = timeline == "on";
  all.count = count;
  return all;
}

std::string IrregularParams::only(std::initializer_list<const char*> systems, const char* thing) const {
  if (std::ranges::find(systems, system) != systems.end()) return {};
  return "system '" + system + "' has no " + thing;
}

void IrregularParams::describe_spmv(Describer& d) {
  const auto here = [this] { return only({"spmv"}, "matrix"); };
  // Settings of one format.
  const auto of = [this](const char* track) {
    return [this, track]() -> std::string {
      if (std::string why = only({"spmv"}, "matrix"); !why.empty()) return why;
      return std::ranges::find(tracks, track) != tracks.end() ? "" : std::string("no track is ") + track;
    };
  };
  d.section("Matrix");
  d.path("matrix", "Matrix", matrix, "stencil5, stencil27, fem, circuit, random, rmat, or a Matrix Market file (.mtx)")
      .taking({".mtx"})
      .where(here);
  d.integer("n", "n", n, 0, 1 << 22,
            "size of the matrix: side of its grid, or rows of random and rmat; auto: the recipe's usual one")
      .or_auto(std::int64_t{0})
      .following({"matrix"})
      .where([this]() -> std::string {
        if (std::string why = only({"spmv"}, "matrix"); !why.empty()) return why;
        return extension_of(matrix) == ".mtx" ? "a file says its size" : "";
      });
  d.choice("values", "Values", values,
           {{"integer", "integer", "small whole numbers: every sum is exact, in any order; of files where theirs are"},
            {"real", "real", "random fractions: sums differ by rounding, and are held to a bound"}},
           "the numbers in matrix and vector; files keep those of their matrix")
      .where(here);
  d.section("Formats");
  d.text("hyb_width", "HYB width", hyb_width,
         "width of the padded part of HYB: bytes (while a column is cheaper than COO), cusp (CUSP's rule), or a number")
      .as(Role::settings)
      .where(of("hyb/row"));
  d.integer("row_lanes", "Row lanes", row_lanes, 0, 32,
            "lanes that share a row in csr/warp: 2, 4, 8, 16 or 32; auto: the fewest that cover a mean row")
      .or_auto(std::int64_t{0})
      .among([] { return std::vector<std::int64_t>{0, 2, 4, 8, 16, 32}; })
      .as(Role::settings)
      .where(of("csr/warp"));
  d.integer("items", "Items", items, 1, 32, "items of the merge path per thread, in csr/merge")
      .as(Role::settings)
      .where(of("csr/merge"));
  d.integer("sigma", "Sigma", sigma, 1, 2147483647, "rows that sell/row sorts by length at a time; 1: none")
      .as(Role::settings)
      .where(of("sell/row"));
}

void IrregularParams::describe_hash(Describer& d) {
  const auto here = [this] { return only({"hash"}, "table"); };
  // Where one of these tracks is shown.
  const auto of_tracks = [this](std::vector<std::string> which, const char* reason) {
    return [this, which = std::move(which), reason]() -> std::string {
      if (std::string why = only({"hash"}, "table"); !why.empty()) return why;
      return std::ranges::any_of(which, [&](const auto& one) { return std::ranges::find(tracks, one) != tracks.end(); })
                 ? std::string()
                 : std::string(reason);
    };
  };
  d.section("Keys");
  d.path("keys", "Keys", keys,
         "voxels (of a sheet that moves), random, sequential, duplicates (16 copies of each), or a .npy file of whole "
         "numbers")
      .taking({".npy"})
      .where(here);
  d.integer("side", "Side", side, 8, 512, "side of the cube that holds the voxels").where([this] {
    if (std::string why = only({"hash"}, "table"); !why.empty()) return why;
    return keys == "voxels" ? std::string() : "these keys are no voxels";
  });
  d.real("hits", "Hits", hits, 0, 1, "share of queries that ask for a key that is there").where([this] {
    if (std::string why = only({"hash"}, "table"); !why.empty()) return why;
    return keys == "voxels" ? std::string("the queries are the voxels of a second sheet") : std::string();
  });
  d.section("Tables");
  d.real("load", "Load", load, .1, .99,
         "pairs per slot, of two_level alone always 0.71: near 1 the last pairs hardly find a place")
      .as(Role::settings)
      .where(of_tracks({"linear", "double", "chaining", "bucketed"}, "these tracks have a load of their own"));
  d.choice("hash", "Hash", hash,
           {{"mixed", "mixed", "products whose bits are mixed"},
            {"published", "published", "linear functions modulo a prime: keys that are equal modulo it always meet"}},
           "the hash functions")
      .as(Role::settings)
      .where(of_tracks({"two_level", "linear", "double", "chaining", "bucketed"}, "'sort' hashes nothing"));
  d.integer("bucket", "Bucket", bucket, 4, 16,
            "slots of a bucket in 'bucketed': 4, 8 or 16; four pairs are a sector of memory")
      .among([] {
        return std::vector<std::int64_t>{4, 8, 16};
      })
      .as(Role::settings)
      .where(of_tracks({"bucketed"}, "no track is 'bucketed'"));
}

void IrregularParams::describe_tree(Describer& d) {
  const auto of_points = [this]() -> std::string {
    if (system == "tasks" && application != "octree") return "application '" + application + "' has no points";
    return only({"tree", "tasks"}, "points");
  };
  d.section("Points");
  d.path("points", "Points", points,
         "clusters, uniform, sheet, line, equal, or a file with as many axes as 'dimension': .npy, .pdb, .pqr, .xyz")
      .taking({".npy", ".pdb", ".pqr", ".xyz"})
      .where(of_points);
  d.integer("dimension", "Dimension", dimension, 2, 3, "2: points in the plane; 3: in space").where([this] {
    return only({"tree"}, "dimension of its own");
  });
  d.section("Tree");
  d.integer("leaf", "Leaf", leaf, 1, 1024, "a range of so many points, or fewer, is not split").where([this] {
    return only({"tree"}, "leaves of its own");
  });
  d.integer("compact_every", "Compaction", compact_every, 1, 8, "levels between compactions of levels/scan")
      .as(Role::settings)
      .where([this] { return only({"tree"}, "levels"); });
}

void IrregularParams::describe_tasks(Describer& d) {
  const auto here = [this] { return only({"tasks"}, "tasks"); };
  const auto of = [this](const char* which) {
    return [this, which]() -> std::string {
      if (std::string why = only({"tasks"}, "tasks"); !why.empty()) return why;
      return application == which ? "" : "application '" + application + "' has no such setting";
    };
  };
  d.section("Tasks");
  d.choice("application", "Application", application, choices_of(task_applications()), "what the tasks do").where(here);
  d.integer("size", "Size", size, 64, 4096, "side of the image in pixels, a power of two")
      .among([] { return std::vector<std::int64_t>{64, 128, 256, 512, 1024, 2048, 4096}; })
      .where(of("mandelbrot"));
  d.integer("iterations", "Iterations", iterations, 16, 65536, "most iterations of a pixel").where(of("mandelbrot"));
  d.real("probability", "Probability", probability, 0, .124, "of a task to have eight children")
      .where(of("random_tree"));
  d.integer("grain", "Grain", grain, 0, 65536, "hashes that each thread of a task computes").where(of("random_tree"));
  d.section("Strategy");
  d.integer("blocks", "Blocks", blocks, 0, 4096,
            "blocks that do the tasks; auto: as many as run at a time, on the chart of the CPU 32")
      .or_auto(std::int64_t{0})
      .as(Role::settings)
      .where(here);
  d.integer("capacity", "Capacity", capacity, 16, 1 << 24,
            "tasks that a shared queue holds; queues of single blocks share it out evenly, but hold 16 at least")
      .as(Role::settings)
      .where(here);
  d.choice("clock", "Clock", clock,
           {{"auto", "auto", "measured where it can be, else modelled"},
            {"measured", "measured", "the device's own clock; CUDA only"},
            {"modelled", "modelled", "the schedule of the real tasks by a model of a GPU's clock"}},
           "whose times the chart shows")
      .as(Role::settings)
      .where(here);
  d.choice("timeline", "Dumped chart", timeline,
           {{"off", "off", "dumps have no chart"}, {"on", "on", "dumps have the chart: arrays tasks and turns"}},
           "whether dumps have the chart")
      .as(Role::settings)
      .where(here);
}

void IrregularParams::describe(Describer& d, std::vector<Choice> systems, std::vector<Choice> maps) {
  d.section("Problem");
  d.choice("system", "System", system, std::move(systems), "what kind of irregular work is done");
  d.natural("seed", "Seed", seed, "seed of all that is random");
  d.integer("count", "Count", count, 0, 1 << 27, "number of keys or points; auto: 100,000 keys, 20,000 points")
      .or_auto(std::int64_t{0})
      .where([this]() -> std::string {
        if (system == "hash") {
          if (keys == "voxels") return "voxels are as many as the sheet has";
          return is_file(keys) ? "keys are as many as the file has" : "";
        }
        if (system == "tasks" && application != "octree") return "application '" + application + "' has no points";
        return only({"tree", "tasks"}, "points");
      });
  describe_spmv(d);
  describe_hash(d);
  describe_tree(d);
  describe_tasks(d);
  d.section("Tracks");
  d.list("tracks", "Tracks", tracks, std::move(maps), 1, 4, "strategies side by side").as(Role::settings);
}

}  // namespace warploom
