#pragma once
#include <string>

namespace warploom {

/// A tour of four steps, to be read, gone through and spoilt.
inline const std::string small_tour = R"(schema = 1
tour = "A small one"
idea = "A launch is a box."
scene = "fractal"

[[steps]]
title = "The data"
text = "These are 81 cells of a [[launch grid]]."
do = """
set level=4 block=4 tracks=bounding_box
wait built
mark data_A "here"
"""
check = """
results.cells = 81
"""

[[steps]]
title = "The launch"
text = "A box of threads."
[steps.ask]
question = "How many have a cell?"
kind = "number"
low = 0
high = 256
answer = "tracks.A.threads.useful"
said = "81 of them."

[[steps]]
title = "A thread for nothing"
text = "Click a hatched thread."
do = """
mark grid_A
"""
until = "selection.useful = false"
then = "select thread:A:3,0:1,1"
check = "tracks.A.threads.wasted = 175"

[[steps]]
title = "Another level"
text = "Level 6."
do = """
select none
set level=6
wait built
step 2
"""
check = "steps = 2"
)";

}  // namespace warploom
