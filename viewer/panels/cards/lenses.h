#pragma once
#include "viewer/panels/panels.h"

namespace warploom {

/// For a map that is meant to be wrong: how far it goes, a slider over n, and the way to its first failure. Nothing for
/// other maps.
void break_it_card(PanelContext& panel);

/// The selected warp's memory under every layout, totals over the domain, and the paper's formulas. Nothing where a
/// scene has one layout.
void coalescing_card(PanelContext& panel);

}  // namespace warploom
