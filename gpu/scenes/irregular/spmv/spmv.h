#pragma once
#include <string>
#include <vector>

#include "gpu/scenes/irregular/spmv/matrix.h"

namespace warploom {

struct SpmvRecipe;

/// Throws UsageError where values do not go together, and FileError for a file that is not there.
void check_spmv(const IrregularSettings& settings, const std::vector<std::string>& tracks);
/// n of a recipe: as set, or its usual one.
std::uint64_t spmv_size(const SpmvRecipe& recipe, const IrregularSettings& settings);
std::unique_ptr<Track> make_spmv_track(Queue& queue, std::shared_ptr<const SpmvProblem> problem,
                                       const IrregularSettings& settings, const TrackInfo& info);

}  // namespace warploom
