#pragma once
#include <string>
#include <vector>

namespace warploom {

/// What tracks are called on the screen: 'A' to 'D', each once. Those of the tracks come first, by their places; the
/// free ones follow in order.
inline const std::string first_letters = "ABCD";

/// The letters once the tracks `before` became `now`, at most four names each. As many tracks as before keep the
/// letters of their places. Where some came or went, those that stay keep theirs, and a new one takes the first free
/// letter.
std::string letters_after(const std::vector<std::string>& before, const std::string& letters,
                          const std::vector<std::string>& now);

}  // namespace warploom
