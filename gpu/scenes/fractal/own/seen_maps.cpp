#include "gpu/scenes/fractal/own/seen_maps.h"

#include <type_traits>

#include "gpu/own/seen_files.h"

// What marked_maps.cpp has, under a namespace of its own: nothing passes but bytes of one layout.
extern "C" {
bool warploom_see_fractal_map(const char* type, const void* domain, std::size_t domain_bytes, int block_digits,
                              const std::uint32_t* tables, const void* visit, void* notes, void* answer);
const char* warploom_seen_fractal_files();
}

namespace warploom {

static_assert(std::is_trivially_copyable_v<FractalDomain> && std::is_trivially_copyable_v<own::Visit> &&
              std::is_trivially_copyable_v<own::SeenNotes> && std::is_trivially_copyable_v<Target>);

bool see_fractal_map(const std::string& type, const FractalDomain& domain, int block_digits,
                     const std::uint32_t* tables, const own::Visit& visit, own::SeenNotes& notes, Target& answer) {
  return warploom_see_fractal_map(type.c_str(), &domain, sizeof domain, block_digits, tables, &visit, &notes, &answer);
}

std::vector<std::string> seen_fractal_files() { return own::seen_files_of(warploom_seen_fractal_files()); }

}  // namespace warploom
