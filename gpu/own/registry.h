#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/own/text.h"

namespace warploom {

/// Whether a track of this name is of an own map: "own:fold", "own:fold/unroll"; or a work an own rule.
bool names_own(const std::string& track);
/// Splits the name of a track of an own map at its slashes: "own:fold", and what follows.
std::vector<std::string> parts_of_own(const std::string& track);

/// The own maps of this process. Any thread. Takes one in and returns what its tracks are called: "own:fold"; one of a
/// stem that is taken "own:fold_2".
std::string add_own(OwnSource text);
/// What a text that is loaded already is called; empty: it is not. And takes one out again.
std::string same_own(const OwnSource& text);
void drop_own(const std::string& name);
/// Puts a text in the place of the one of that name; tracks that are made from now on have it.
void put_own(const std::string& name, std::shared_ptr<const OwnSource> text);
/// How often that was done; and a number that changes with every text that comes, goes or is put in another's place.
std::uint64_t own_edits();
std::uint64_t own_version();
/// By that name, or that of one of its tracks. Throws UsageError with the nearest.
std::shared_ptr<const OwnSource> find_own(const std::string& name);
/// The same; throws UsageError, too, where it is a rule, which is no track.
std::shared_ptr<const OwnSource> find_own_map(const std::string& name);
/// The names of those that are tracks, maps and kernels, in the order in which they came; and of the rules, which are
/// works.
std::vector<std::string> own_names();
std::vector<std::string> own_rules();

}  // namespace warploom
