#!/usr/bin/env bash
# Installs what the program needs, builds it, and opens the window on the fractal scene. Without a display it renders the
# scene headless and says where the picture lies. Idempotent.
#   scripts/run.sh [--cuda] [OPTION...]
# Where an NVIDIA device answers, the program is built for that device; elsewhere for the CPU alone. --cuda insists on
# CUDA. Further options go to warploom: scripts/run.sh --set level=10
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/building.sh

insist= options=()
for word in "$@"; do
  if [[ $word == --cuda ]]; then insist=1; else options+=("$word"); fi
done

echo "run: 1 of 3, packages"
scripts/setup.sh program
preset=cpu-only
if [[ -n $insist ]] || device_answers; then preset=cuda; fi
echo "run: 2 of 3, building into build/$preset"
# Tests that were configured before stay so: the two scripts share what is built.
tests=OFF
grep -qs '^WARPLOOM_TESTS:BOOL=ON' "build/$preset/CMakeCache.txt" && tests=ON
configure "$preset" -DWARPLOOM_TESTS=$tests
build "$preset" warploom
program=build/$preset/bin/warploom

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
  echo "run: 3 of 3, opening the window (Ctrl+Q quits, H lists the keys)"
  exec "$program" view fractal "${options[@]}"
fi
picture=$PWD/build/fractal.png
echo "run: 3 of 3, no display is set: rendering the fractal scene without one"
"$program" run fractal --frames 120 --capture "$picture" --overlay "${options[@]}"
echo "run: done, the picture lies at $picture"
