#!/usr/bin/env bash
# Makes every picture of README.md and docs again: docs/pictures/NAME.toml becomes docs/pictures/NAME.png.
#   scripts/pictures.sh [PROGRAM]    without PROGRAM that of build/release, build/cuda or build/cpu-only
# A scene file is what Ctrl+S writes in the window. Its first line says how large the picture is and how many frames
# run before it is taken: "# size 1200x700, frames 60". Where a track of it is to be wrong, ", wrong on purpose" follows.
# tests/pictures_test.py compares scene files and pictures.
set -euo pipefail

program=${1:-}
if [[ -n $program ]]; then
  program=$(realpath -- "$program")
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for preset in release cuda cpu-only; do
  if [[ -z $program && -x build/$preset/bin/warploom ]]; then
    program=build/$preset/bin/warploom
  fi
done
if [[ ! -x $program ]]; then
  echo "pictures: no program${program:+ $program}: build one with scripts/run.sh, or name it" >&2
  exit 1
fi

# The settings of the user stay out of the pictures.
settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
export XDG_CONFIG_HOME=$settings/config XDG_STATE_HOME=$settings/state

for scene in docs/pictures/*.toml; do
  picture=${scene%.toml}.png
  if [[ $(head -n 1 "$scene") =~ ^"# size "([0-9]+x[0-9]+)", tour "([a-z_]+)", step "([0-9]+)$ ]]; then
    # Of a tour, with its strip; the scene file says which scene that is.
    "$program" run --tour "${BASH_REMATCH[2]}" --size "${BASH_REMATCH[1]}" --capture "$settings/tour"
    cp "$settings/tour/step_$(printf '%02d' "${BASH_REMATCH[3]}").png" "$picture"
    rm -r "$settings/tour"
    echo "pictures: $picture, step ${BASH_REMATCH[3]} of the tour"
    continue
  fi
  if [[ ! $(head -n 1 "$scene") =~ ^"# size "([0-9]+x[0-9]+)", frames "([0-9]+)(", wrong on purpose")?$ ]]; then
    echo "pictures: $scene: expected a first line such as '# size 1200x700, frames 60'" >&2
    exit 1
  fi
  size=${BASH_REMATCH[1]}
  frames=${BASH_REMATCH[2]}
  expected=$([[ -n ${BASH_REMATCH[3]} ]] && echo 3 || echo 0)
  code=0
  # The code of scenes here is ours.
  "$program" run --scene-file "$scene" --trust --size "$size" --frames "$frames" --capture "$picture" || code=$?
  if ((code != expected)); then
    echo "pictures: $scene: exit code $code, expected $expected" >&2
    exit 1
  fi
  echo "pictures: $picture, $size, step $frames, $(($(stat -c %s "$picture") / 1024)) KB"
done
