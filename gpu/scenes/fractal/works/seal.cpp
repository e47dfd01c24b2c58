#include "gpu/scenes/fractal/works/seal.h"

namespace warploom {

namespace {
#if defined(__x86_64__)
__attribute__((target("popcnt"))) void with_popcnt(const std::uint32_t* words, std::uint64_t apart, std::uint32_t count,
                                                   const SealKey* keys, SealOfWords& seal) {
  seal.add_block(words, apart, count, keys);
}
#endif
}  // namespace

void seal_block_on_cpu(const std::uint32_t* words, std::uint64_t apart, std::uint32_t count, const SealKey* keys,
                       SealOfWords& seal) {
#if defined(__x86_64__)
  static const bool has_popcnt = __builtin_cpu_supports("popcnt") != 0;
  if (has_popcnt) return with_popcnt(words, apart, count, keys, seal);
#endif
  seal.add_block(words, apart, count, keys);
}

}  // namespace warploom
