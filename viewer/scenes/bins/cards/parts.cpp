#include "gpu/scenes/bins/bench/suites.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

ui::Figure padding_figure(PanelContext& panel);
std::string padding_missing(const PanelContext& panel);

const SceneParts& bins_parts() {
  static const SceneParts parts{
      .plots = {{"padding", "Padding",
                 "Slots without an element, and elements without a slot, if every bin had so many slots; the tracks as "
                 "dots.",
                 padding_figure, padding_missing, "waste"}},
      .colours = {{bin_colours::depth, "depth", "depth",
                   "elements of the bins that lie behind each other, logarithmic"},
                  {bin_colours::deepest, "deepest", "deepest bin",
                   "elements of the fullest of the bins that lie behind each other"},
                  {bin_colours::hits, "hits", "hits", "elements within reach of an output"},
                  {bin_colours::load, "load", "load", "pairs that a block has to test"},
                  {bin_colours::time, "time", "time",
                   "how long a block takes, measured by a variant that reads the clock"}},
      .spaces = {{"bin", "X,Y", false}, {"element", "N", true}, {"output", "X,Y", false}},
      .terms = {{"bin",
                 "A box of space with the elements in it, so that neighbours are looked for in a few bins only."},
                {"cap", "The largest number of elements that a bin has slots for; the rest is spilled."},
                {"compact bins", "As many slots as elements, bin after bin; the start of each bin is looked up."},
                {"cutoff", "Beyond this distance an element does not act on an output."},
                {"depth", "How many elements a bin holds."},
                {"regular bins", "Every bin has as many slots as the fullest needs: no look-up, but much padding."},
                {"slot", "A place in memory for one element of a bin."},
                {"spill",
                 "Elements that a bin has no slots for: the processor adds them to the outputs while the device "
                 "gathers the rest."}},
      .suites = {bench::binning_suite()},
      .variants = "how outputs read the bins, how slots lie in memory, and whether elements beyond the cap are spilled",
  };
  return parts;
}

}  // namespace warploom
