#include "gpu/scenes/simplex/own/seen_maps.h"

#include <type_traits>

#include "gpu/own/seen_files.h"

// What marked_maps.cpp has, under a namespace of its own: nothing passes but bytes of one layout.
extern "C" {
bool warploom_see_simplex_map(const char* type, int dimensions, const void* domain, std::size_t domain_bytes,
                              const void* shares, std::size_t shares_bytes, const std::uint32_t* table,
                              const void* visit, std::uint32_t item, void* notes, void* answer);
const char* warploom_seen_simplex_files();
}

namespace warploom {

template <int Dimensions>
bool see_simplex_map(const std::string& type, const SimplexDomain<Dimensions>& domain, const CellShares& shares,
                     const std::uint32_t* table, const own::Visit& visit, std::uint32_t item, own::SeenNotes& notes,
                     Target& answer) {
  static_assert(std::is_trivially_copyable_v<SimplexDomain<Dimensions>> && std::is_trivially_copyable_v<CellShares> &&
                std::is_trivially_copyable_v<own::Visit> && std::is_trivially_copyable_v<own::SeenNotes> &&
                std::is_trivially_copyable_v<Target>);
  return warploom_see_simplex_map(type.c_str(), Dimensions, &domain, sizeof domain, &shares, sizeof shares, table,
                                  &visit, item, &notes, &answer);
}

template bool see_simplex_map<2>(const std::string&, const SimplexDomain<2>&, const CellShares&, const std::uint32_t*,
                                 const own::Visit&, std::uint32_t, own::SeenNotes&, Target&);
template bool see_simplex_map<3>(const std::string&, const SimplexDomain<3>&, const CellShares&, const std::uint32_t*,
                                 const own::Visit&, std::uint32_t, own::SeenNotes&, Target&);

std::vector<std::string> seen_simplex_files() { return own::seen_files_of(warploom_seen_simplex_files()); }

}  // namespace warploom
