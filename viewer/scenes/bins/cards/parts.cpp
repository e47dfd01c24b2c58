#include "viewer/scenes/bins/parts.h"

#include "gpu/scenes/bins/bench/suites.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

CardOf<Curves> curves_card;
CardOf<BudgetFacet> budget_card;

const SceneParts& bins_parts() {
  static const SceneParts parts{
      .cards = {card_of_active<Curves, curves_card>(Card::Panel::right),
                card_of_active<BudgetFacet, budget_card>(Card::Panel::right)},
      .colours = {{bin_colours::depth, "depth", "depth",
                   "elements of the bins that lie behind each other, logarithmic"},
                  {bin_colours::deepest, "deepest", "deepest bin",
                   "elements of the deepest of the bins that lie behind each other"},
                  {bin_colours::hits, "hits", "hits", "elements that are in reach of an output"},
                  {bin_colours::load, "load", "load", "pairs that a block has to test"},
                  {bin_colours::time, "time", "time", "how long a block takes, by a variant that looks at the clock"}},
      .spaces = {{"bin", "X,Y", false}, {"element", "N", true}, {"output", "X,Y", false}},
      .terms =
          {{"bin", "A box of the space, with the elements that lie in it: who is near is looked for in few bins."},
           {"cap", "The most elements that a bin has slots for; what is beyond it is spilled."},
           {"compact bins", "As many slots as there are elements, bin after bin; where each begins is looked up."},
           {"cutoff", "Beyond this distance an element does not act on an output."},
           {"depth", "How many elements a bin holds."},
           {"regular bins", "As many slots in every bin as the deepest needs: no look-up, and much padding."},
           {"slot", "A place in memory for one element of a bin."},
           {"spill",
            "What a bin has no slots for: the processor adds it to the outputs while the device gathers the rest."}},
      .suites = {bench::binning_suite()},
  };
  return parts;
}

}  // namespace warploom
