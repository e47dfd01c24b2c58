// The list of formats, for those who know them by name.
#include <algorithm>

#include "gpu/scenes/irregular/spmv/list.h"

namespace warploom {

const std::vector<const SpmvFormat*>& spmv_formats() {
  static const std::vector<const SpmvFormat*> all = [] {
    std::vector<const SpmvFormat*> made;
    for_each_type(SpmvFormats{}, [&]<class Format>() { made.push_back(&spmv_format<Format>()); });
    return made;
  }();
  return all;
}

const SpmvFormat* find_spmv_format(const std::string& track) {
  for (const SpmvFormat* format : spmv_formats())
    if (format->info.name == track) return format;
  return nullptr;
}

std::unique_ptr<const SpmvLayout> make_spmv_layout(const SpmvMatrix& matrix, const IrregularSettings& settings,
                                                   const std::string& track) {
  const SpmvFormat* format = find_spmv_format(track);
  return format ? format->layout(matrix, settings) : nullptr;
}

SpmvBytes spmv_bytes(const SpmvProblem& problem, const IrregularSettings& settings, const std::string& track) {
  // Those of its settings that bytes depend on. Sorting the rows of a large matrix takes a while.
  const std::string key = track + "|" + settings.hyb_width + "|" + std::to_string(settings.sigma);
  const std::lock_guard lock(problem.known_mutex);
  const auto known = problem.known.find(key);
  if (known != problem.known.end()) return known->second;
  return problem.known[key] = find_spmv_format(track)->bytes(problem.matrix, settings);
}

std::vector<SpmvBytes> spmv_bytes(const SpmvProblem& problem, const IrregularSettings& settings) {
  std::vector<SpmvBytes> all;
  for (const SpmvFormat* format : spmv_formats()) all.push_back(spmv_bytes(problem, settings, format->info.name));
  return all;
}

}  // namespace warploom
