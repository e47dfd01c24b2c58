#!/usr/bin/env bash
# Installs what is missing, builds, and opens the window on the fractal scene. Without a display it renders the scene
# headless and says where the picture lies. Idempotent. Further words go to warploom: scripts/run.sh --set level=10
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

echo "run: 1 of 3, packages"
scripts/setup.sh
echo "run: 2 of 3, building into build/release"
cmake --preset release >build-release.log 2>&1 || { cat build-release.log; rm -f build-release.log; exit 1; }
rm -f build-release.log
cmake --build --preset release --target warploom
program=build/release/bin/warploom

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
  echo "run: 3 of 3, opening the window (Ctrl+Q quits, H lists the keys)"
  exec "$program" view fractal "$@"
fi
picture=$PWD/build/fractal.png
echo "run: 3 of 3, no display is set: rendering the fractal scene without one"
"$program" run fractal --frames 120 --capture "$picture" --overlay "$@"
echo "run: done, the picture lies at $picture"
