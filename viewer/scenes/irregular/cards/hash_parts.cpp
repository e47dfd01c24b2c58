#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gpu/scenes/irregular/pictures/hash_pictures.h"
#include "gpu/scenes/irregular/tracks/hash_report.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

void hash_card(PanelContext& panel);

namespace {

std::string key_title(const Index3& at) { return fmt::format("key {}", at.x); }
std::string slot_title(const Index3& at) { return fmt::format("slot {}", at.x); }

}  // namespace

const SceneParts& hash_parts() {
  static const SceneParts parts{
      .cards = {card_of_all<HashFacet, hash_card>(Card::Panel::right)},
      .colours = {{hash_colours::probes, "probes", "Probes", "how many probes it takes to find what is there"},
                  {hash_colours::table, "table", "Table", "which table, or bucket of a key's three, holds a key"}},
      .spaces = {{"key", "KEY", true, key_title}, {"slot", "NUMBER", true, slot_title}},
      .terms = {{"bucket",
                 "A part of a hash table: of two_level up to 512 pairs that a block places, of bucketed a few slots "
                 "that are read together."},
                {"chain", "The list of all pairs whose keys lead to one head of a hash table."},
                {"cuckoo hashing",
                 "A key has two or three places that it may be in. Who finds its place taken throws the other out, "
                 "which moves on to its own next place."},
                {"eviction", "A pair is thrown out of its place by another one, and looks for its next place."},
                {"load", "Pairs over slots of a hash table. Near 1 the last pairs hardly find a place."},
                {"miss", "A query whose key is not in the table."},
                {"probe", "A slot, or a bucket of slots, that is read to find a key."},
                {"reseed", "Other hash functions are drawn, because the keys did not fit with the first ones."},
                {"round", "In two_level: every pair without a place tries its three tables once, one after the other."},
                {"voxel", "A small cube of space. Its three coordinates are one key of a hash table."}},
  };
  return parts;
}

}  // namespace warploom
