#include "gpu/scenes/irregular/bench/suites.h"
#include "viewer/model/scene_parts.h"

namespace warploom {

// What each system brings along is a line here and in the list below.
const SceneParts& spmv_parts();
const SceneParts& hash_parts();
const SceneParts& tree_parts();
const SceneParts& tasks_parts();

namespace {

template <class List>
void add_parts(List& to, const List& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

const SceneParts& irregular_parts() {
  static const SceneParts parts = [] {
    SceneParts all{.suites = {bench::irregular_suite()},
                   .variants = "how rows, keys or tasks are dealt out to threads"};
    for (const SceneParts* one :
         std::vector<const SceneParts*>{&spmv_parts(), &hash_parts(), &tree_parts(), &tasks_parts()}) {
      add_parts(all.cards, one->cards);
      add_parts(all.plots, one->plots);
      add_parts(all.colours, one->colours);
      add_parts(all.spaces, one->spaces);
      add_parts(all.terms, one->terms);
      add_parts(all.stats, one->stats);
      add_parts(all.papers, one->papers);
    }
    return all;
  }();
  return parts;
}

}  // namespace warploom
