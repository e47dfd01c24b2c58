#include <type_traits>

#include "gpu/own/arguments.h"
#include "gpu/own/seen_group.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/simplex/maps/list.h"

// Compiled against marked maps, where `warploom` is another namespace (cmake/Seen.cmake). What comes from the program
// has the layout that it has here: the same headers made both.

namespace warploom {
namespace {

using own::Seeing, own::SeenGroup, own::SeenNotes, own::Visit;

template <class Map>
Target visit_map(const typename Map::Domain& domain, const CellShares& shares, const std::uint32_t* table,
                 const Visit& visit, std::uint32_t item, SeenNotes& notes) {
  const Map map(domain, table, shares);
  Target answer{{~0u, ~0u, ~0u}, false};
  if (!map.more(visit.launch, visit.block, visit.turn)) return answer;
  const LaunchShape shape = map.shape(visit.launch);
  SeenGroup group(visit.block, linear_index(visit.block, shape.blocks), shape.threads, visit.thread);
  // As enter_block finds its block.
  Index3 carried, block;
  if constexpr (requires { &Map::Placing::carry; })
    for (int turn = 0; turn < visit.turn; ++turn)
      (void)map.block_of_turn(visit.launch, visit.block, turn, carried, block);
  const Seeing seeing(&notes);
  const bool serves =
      group.same([&] { return map.block_of_turn(visit.launch, visit.block, visit.turn, carried, block); });
  if (!serves) return answer;
  const Cell origin = map.domain.first_cell(block);
  answer.useful = map.items() == 1 ? map.thread(origin, visit.thread, answer.cell)
                                   : map.thread(origin, visit.thread, item, answer.cell);
  return answer;
}

struct Question {
  const char* type;
  const void* domain;
  std::size_t domain_bytes;
  const CellShares& shares;
  const std::uint32_t* table;
  const Visit& visit;
  std::uint32_t item;
  SeenNotes& notes;
  Target& answer;

  template <int dimensions>
  bool asked() const {
    using Domain = SimplexDomain<dimensions>;
    if (domain_bytes != sizeof(Domain)) return false;
    const std::string wanted = bare_type(type);
    bool found = false;
    for_each_type(SimplexMaps<dimensions>{}, [&]<class Map>() {
      if (found || bare_type(type_name<Map>()) != wanted) return;
      found = true;
      answer = visit_map<Map>(*static_cast<const Domain*>(domain), shares, table, visit, item, notes);
    });
    return found;
  }
};

}  // namespace
}  // namespace warploom

extern "C" bool warploom_see_simplex_map(const char* type, int dimensions, const void* domain, std::size_t domain_bytes,
                                         const void* shares, std::size_t shares_bytes, const std::uint32_t* table,
                                         const void* visit, std::uint32_t item, void* notes, void* answer) {
  using namespace warploom;
  if (shares_bytes != sizeof(CellShares)) return false;
  const Question question{type,
                          domain,
                          domain_bytes,
                          *static_cast<const CellShares*>(shares),
                          table,
                          *static_cast<const own::Visit*>(visit),
                          item,
                          *static_cast<own::SeenNotes*>(notes),
                          *static_cast<Target*>(answer)};
  return dimensions == 2 ? question.asked<2>() : question.asked<3>();
}

extern "C" const char* warploom_seen_simplex_files() { return WARPLOOM_SEEN_FILES; }
