#!/usr/bin/env bash
# Installs what is missing, builds the program and its tests, and runs every test; ends with their summary. Where an
# NVIDIA device answers, with CUDA for that device; elsewhere without. Idempotent. scripts/check.sh holds the rest of
# what CI holds. WARPLOOM_WERROR=ON in the environment makes warnings errors.
#   scripts/test.sh [OPTION...]     options go to ctest: scripts/test.sh -R simplex
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/building.sh

echo "test: 1 of 3, packages"
scripts/setup.sh tests
preset=cpu-only
if device_answers; then preset=cuda; fi
echo "test: 2 of 3, building into build/$preset"
configure "$preset" -DWARPLOOM_TESTS=ON ${WARPLOOM_WERROR:+-DWARPLOOM_WERROR=$WARPLOOM_WERROR}
build "$preset"
echo "test: 3 of 3, all tests"
ctest --preset "$preset" -j 2 "$@"
