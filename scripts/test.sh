#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test: the release build (with CUDA code where nvcc is found), then
# the CPU tests under the address and undefined-behaviour sanitizers, those of threads under the thread sanitizer, and
# clang-tidy.
# Idempotent. Ends with ctest's summary.
#   scripts/test.sh [--fast]     --fast: without the sanitizer builds and clang-tidy
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fast=; [[ ${1:-} == --fast ]] && fast=1

step() { echo; echo "test: $*"; }
build() { # preset [target...]: configures and builds it; quiet unless it fails
  cmake --preset "$1" >"build-$1.log" 2>&1 || { cat "build-$1.log"; rm -f "build-$1.log"; exit 1; }
  grep -h 'Backends:' "build-$1.log" || true
  rm -f "build-$1.log"
  cmake --build --preset "$1" ${2:+--target "${@:2}"}
}

step "packages"
scripts/setup.sh
if [[ -z $fast ]]; then
  step "sanitizer build (address, undefined behaviour)"
  build asan
  step "tests under sanitizers"
  ctest --preset asan -j 2
  step "clang-tidy, as the sanitizer build compiles"
  scripts/tidy.py
  step "thread sanitizer: the tests that have threads"
  build tsan threads_test gpu_core_test
  ctest --preset tsan -R '^(threads_test|gpu_core_test)$'
fi
step "release build, warnings are errors"
build ci
step "all tests"
ctest --preset ci -j 2
