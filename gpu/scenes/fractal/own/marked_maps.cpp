#include <type_traits>

#include "gpu/core/product.h"
#include "gpu/own/arguments.h"
#include "gpu/own/seen_group.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/maps/list.h"
// Its functions are needed under this namespace, too. NOLINTNEXTLINE(bugprone-suspicious-include)
#include "gpu/core/product.cpp"

// Compiled against marked maps, where `warploom` is another namespace (cmake/Seen.cmake). What comes from the program
// has the layout that it has here: the same headers made both.

namespace warploom {
namespace {

using own::Seeing, own::SeenGroup, own::SeenNotes, own::Visit;

template <class Map>
Target visit_map(const FractalDomain& domain, int block_digits, const std::uint32_t* tables, const Visit& visit,
                 SeenNotes& notes) {
  // Null is said to maps that look nothing up, which no compiler knows.
  static constexpr std::uint32_t nothing = 0;
  const Map map(domain, block_digits, tables ? tables : &nothing);
  const LaunchShape shape = map.shape(visit.launch);
  SeenGroup group(visit.block, linear_index(visit.block, shape.blocks), shape.threads, visit.thread);
  Target answer{{~0u, ~0u, ~0u}, false};
  const Seeing seeing(&notes);
  // As MapProgram runs it.
  if constexpr (requires { Map::serves_blocks; }) {
    map.serve(group, visit.launch, visit.block, visit.turn, [&](const Thread& thread, Cell cell, bool useful) {
      if (thread.at == visit.thread) answer = {cell, useful};
    });
  } else {
    Cell origin;
    if (map.more(visit.launch, visit.block, visit.turn) &&
        map.block(group, visit.launch, visit.block, visit.turn, origin))
      answer.useful = map.thread(origin, visit.thread, answer.cell);
  }
  return answer;
}

}  // namespace
}  // namespace warploom

extern "C" bool warploom_see_fractal_map(const char* type, const void* domain, std::size_t domain_bytes,
                                         int block_digits, const std::uint32_t* tables, const void* visit, void* notes,
                                         void* answer) {
  using namespace warploom;
  if (domain_bytes != sizeof(FractalDomain)) return false;
  const std::string wanted = bare_type(type);
  bool found = false;
  for_each_type(FractalMaps{}, [&]<class Map>() {
    if (found || bare_type(type_name<Map>()) != wanted) return;
    found = true;
    *static_cast<Target*>(answer) =
        visit_map<Map>(*static_cast<const FractalDomain*>(domain), block_digits, tables,
                       *static_cast<const own::Visit*>(visit), *static_cast<own::SeenNotes*>(notes));
  });
  return found;
}

extern "C" const char* warploom_seen_fractal_files() { return WARPLOOM_SEEN_FILES; }
