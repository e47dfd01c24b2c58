// The system as the scene knows it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/files/input.h"
#include "gpu/scenes/irregular/pictures/spmv_pictures.h"
#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/recipes.h"
#include "gpu/scenes/irregular/spmv/spmv.h"
#include "gpu/scenes/irregular/vendor/spmv_vendor.h"

namespace warploom {

void check_spmv(const IrregularSettings& settings, const std::vector<std::string>&) {
  const auto range = [](const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most)
      throw UsageError(fmt::format("{} {}: expected {} to {}", name, value, least, most));
  };
  range("items", settings.items, 1, 32);
  range("sigma", settings.sigma, 1, 2147483647);
  if (settings.row_lanes != 0 && (!std::has_single_bit(static_cast<unsigned>(settings.row_lanes)) ||
                                  settings.row_lanes < 2 || settings.row_lanes > 32))
    throw UsageError(fmt::format("row_lanes {}: expected auto, 2, 4, 8, 16 or 32", settings.row_lanes));
  check_hyb_width(settings.hyb_width);
  if (const SpmvRecipe* recipe = find_spmv_recipe(settings.matrix)) {
    range("n", settings.n, 0, recipe->most);
    const std::uint64_t n = spmv_size(*recipe, settings);
    if (settings.matrix == "rmat" && !std::has_single_bit(n)) {
      const std::uint64_t below = std::bit_floor(n);
      throw UsageError(fmt::format("n {}: rmat takes powers of two; the nearest is {}", n,
                                   n - below < 2 * below - n ? below : 2 * below));
    }
    return;
  }
  const std::filesystem::path file = settings.folder / settings.matrix;
  if (extension_of(file) != ".mtx")
    throw UsageError(unknown_message("matrix", settings.matrix, texts_of(spmv_recipes(), &SpmvRecipe::key)) +
                     ", or name a Matrix Market file (.mtx)");
  if (std::error_code none; !std::filesystem::exists(file, none)) throw FileError(file.string() + ": no such file");
}

namespace {

std::uint64_t spmv_problem_key(const IrregularSettings& settings) {
  const bool recipe = find_spmv_recipe(settings.matrix) != nullptr;
  return text_hash(fmt::format("spmv|{}|{}|{}|{}", recipe ? settings.matrix : file_stamp(settings, settings.matrix),
                               recipe ? settings.n : 0, settings.values, settings.seed));
}

std::shared_ptr<const IrregularProblem> spmv_problem(const IrregularSettings& settings) {
  return make_spmv_problem(settings);
}

const SpmvMatrix& spmv_matrix_of(const IrregularProblem& problem) {
  return dynamic_cast<const SpmvProblem&>(problem).matrix;
}

double spmv_track_bytes(const IrregularProblem& problem, const IrregularSettings& settings, const std::string& track) {
  const auto& own = dynamic_cast<const SpmvProblem&>(problem);
  const SpmvMatrix& matrix = own.matrix;
  const double states = 8. * (static_cast<double>(matrix.rows) + matrix.columns);
  // The rows it is made from are there beside it for a while.
  const double source = 8. * static_cast<double>(matrix.nonzeros()) + 4. * (matrix.rows + 1.);
  const SpmvFormat* format = find_spmv_format(track);
  if (!format) return states + 3 * source;  // all that cuSPARSE has formats for
  return states + std::max(source, spmv_bytes(own, settings, track).bytes + (format->info.map == "csr" ? 0 : source));
}

double spmv_dump_bytes(const IrregularSettings& settings) {
  // An owner has 16 bytes. A file tells when it is read.
  const SpmvRecipe* recipe = find_spmv_recipe(settings.matrix);
  return recipe ? 16 * recipe->entries(spmv_size(*recipe, settings)) : 0;
}

std::unique_ptr<Track> spmv_make(Queue& queue, const std::shared_ptr<const IrregularProblem>& problem,
                                 const IrregularSettings& settings, const TrackInfo& info) {
  return make_spmv_track(queue, std::dynamic_pointer_cast<const SpmvProblem>(problem), settings, info);
}

std::string spmv_caption(const IrregularProblem& problem) {
  const SpmvMatrix& matrix = spmv_matrix_of(problem);
  std::string name = matrix.name;
  if (!name.empty() && find_spmv_recipe(name)) name[0] = static_cast<char>(std::toupper(name[0]));
  return fmt::format("{}, {}, {}", name,
                     matrix.rows == matrix.columns
                         ? counted(matrix.rows, "row")
                         : counted(matrix.rows, "row") + ", " + counted(matrix.columns, "column"),
                     counted(matrix.nonzeros(), "nonzero"));
}

std::string spmv_unavailable(Backend backend, const std::string& track) {
  return track == "vendor" ? spmv_vendor_missing(backend) : std::string();
}

TrackInfo spmv_vendor_info() {
  TrackInfo info;
  info.name = info.map = "vendor";
  info.title = "cuSPARSE";
  info.description = "the fastest algorithm of cuSPARSE for CSR, COO and sliced ELL on this matrix; CUDA only";
  info.citation = "nvidia2025cusparse";
  return info;
}

}  // namespace

const IrregularSystem& spmv_system() {
  static const IrregularSystem system = [] {
    IrregularSystem made{};
    made.key = "spmv";
    made.title = "Sparse products";
    made.description = "a sparse matrix times a vector: what formats pad, and which lanes wait";
    made.citation = "bell2009spmv";
    for (const SpmvFormat* format : spmv_formats()) made.tracks.push_back(format->info);
    made.tracks.push_back(spmv_vendor_info());
    made.usual_tracks = "ell/row,hyb/row";
    made.pictures = {"matrix", "storage", "launch"};
    made.step_words =
        "Each step draws another vector x and multiplies it by the matrix, which stays: the bars of x above the matrix "
        "and of y beside it change.";
    made.check = check_spmv;
    made.problem_key = spmv_problem_key;
    made.problem = spmv_problem;
    made.bytes = spmv_track_bytes;
    made.dump_bytes = spmv_dump_bytes;
    made.make = spmv_make;
    made.caption = spmv_caption;
    made.look_at = spmv_look_at;
    made.unavailable = spmv_unavailable;
    made.libraries = [] { return std::vector<VendorLibrary>{spmv_vendor_library()}; };
    return made;
  }();
  return system;
}

}  // namespace warploom
