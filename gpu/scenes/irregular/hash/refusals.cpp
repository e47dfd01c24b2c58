#include "gpu/scenes/irregular/hash/refusals.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

std::vector<HashFunction> level_two_functions(const HashFamily& family) {
  std::vector<HashFunction> all;
  for (unsigned attempt = 0; attempt < most_hash_attempts; ++attempt)
    for (unsigned f = 1; f <= 3; ++f) all.push_back(family.at(f, attempt));
  return all;
}

namespace {

std::vector<std::uint32_t> keys_of(Queue& queue, const std::uint32_t* keys, const HashShape& shape) {
  std::vector<std::uint32_t> all(shape.keys);
  download_bytes(queue, all.data(), keys, all.size() * sizeof(std::uint32_t));
  return all;
}

std::size_t different_keys(std::vector<std::uint32_t> keys) {
  std::ranges::sort(keys);
  return static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

/// Names the largest set of different keys that are equal modulo the prime. Empty: it has `room` keys at most, or the
/// functions are not the published ones.
std::string equal_keys(std::vector<std::uint32_t> keys, const HashShape& shape, std::size_t room) {
  if (!shape.published) return {};
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<std::uint32_t> counts(published_prime);
  for (const std::uint32_t key : keys) ++counts[key % published_prime];
  const auto most = std::ranges::max_element(counts);
  if (*most <= room) return {};
  std::vector<std::string> words;
  constexpr std::size_t most_words = 8;
  for (std::size_t i = 0; words.size() < std::min<std::size_t>(*most, most_words); ++i)
    if (keys[i] % published_prime == static_cast<std::uint32_t>(most - counts.begin()))
      words.push_back(std::to_string(keys[i]));
  if (*most > most_words) words.push_back(fmt::format("and {} more", *most - most_words));
  return fmt::format("keys {} are equal modulo {}, and so meet whatever the constants are", join(words),
                     published_prime);
}

}  // namespace

void refuse_level_one(Queue& queue, const std::uint32_t* keys, const HashShape& shape, std::uint32_t buckets) {
  const auto all = keys_of(queue, keys, shape);
  const HashFunction home = shape.family().at(0, 0);
  std::vector<std::uint32_t> counts(buckets);
  for (const std::uint32_t key : all) ++counts[home(key, buckets)];
  const auto fullest = static_cast<std::uint32_t>(std::ranges::max_element(counts) - counts.begin());
  std::vector<std::uint32_t> inside;
  for (const std::uint32_t key : all)
    if (home(key, buckets) == fullest) inside.push_back(key);
  const std::size_t apart = different_keys(inside);
  const std::string equal = equal_keys(inside, shape, 512);
  throw UsageError(fmt::format(
      "two_level cannot be built: with each of {} hash functions a bucket has more than 512 pairs; with the first, "
      "bucket {} has {} pairs, which are {} different keys{}",
      most_hash_attempts, fullest, inside.size(), apart,
      apart < inside.size() ? ": two_level holds a set of keys; choose keys without copies, or another table"
      : equal.empty()       ? "; choose another seed or another table"
                            : "; " + equal + "; set hash=mixed, or choose another table"));
}

void refuse_level_two(Queue& queue, const std::uint32_t* keys, const HashShape& shape, std::uint32_t buckets,
                      std::uint64_t attempt, std::uint64_t bucket) {
  const HashFunction home = shape.family().at(0, static_cast<unsigned>(attempt));
  std::vector<std::uint32_t> inside;
  for (const std::uint32_t key : keys_of(queue, keys, shape))
    if (home(key, buckets) == bucket) inside.push_back(key);
  const std::string equal = equal_keys(inside, shape, 3);
  throw UsageError(fmt::format(
      "two_level cannot be built: the {} pairs of bucket {} do not fit its three tables within 25 rounds, "
      "with each of {} triples of hash functions; {}",
      inside.size(), bucket, most_hash_attempts,
      equal.empty() ? "choose another seed or another table" : equal + "; set hash=mixed, or choose another table"));
}

void refuse_bucketed(Queue& queue, const std::uint32_t* keys, const HashShape& shape, unsigned width,
                     std::uint64_t buckets) {
  // The bucket that most keys want first.
  const auto all = keys_of(queue, keys, shape);
  const HashFunction home = shape.family().at(0, 0);
  std::vector<std::uint32_t> wanted(buckets);
  for (const std::uint32_t key : all) ++wanted[home(key, static_cast<std::uint32_t>(buckets))];
  const auto most = std::ranges::max_element(wanted);
  const std::string equal = equal_keys(all, shape, std::size_t{3} * width);
  throw UsageError(fmt::format(
      "bucketed cannot be built: a pair found no place within 2 000 evictions, with each of {} triples of hash "
      "functions; {} pairs are to go to {} buckets of {} slots, {} of them first to bucket {}; {}",
      most_hash_attempts, grouped(shape.keys), grouped(buckets), width, *most, most - wanted.begin(),
      equal.empty() ? "set a lower load or a larger bucket" : equal + "; set hash=mixed, or choose another table"));
}

}  // namespace warploom
