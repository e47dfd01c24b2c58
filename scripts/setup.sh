#!/usr/bin/env bash
# Installs the Debian packages that Warploom needs. Idempotent: a second run changes nothing. Needs root or sudo. The
# CUDA toolkit is optional and not installed here: without it the CPU backend is built.
#   scripts/setup.sh [program|tests|check|package|fuzz]     program: to build and run; tests: its tests, too; check (the
#     default): what scripts/check.sh needs, too; package, fuzz: what those scripts need
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config ca-certificates python3 python3-glad
  libimgui-dev libglfw3-dev libglm-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libfmt-dev libpng-dev libsndfile1-dev
  libegl-dev libgl-dev libstb-dev
  fonts-inter fonts-jetbrains-mono
  libgl1-mesa-dri libegl-mesa0 libegl1 libgl1
)
what=${1:-check}
case $what in
  program) ;;
  tests) packages+=(git libgtest-dev python3-numpy xvfb xauth xdotool ffmpeg) ;;
  check) packages+=(git libgtest-dev python3-numpy xvfb xauth xdotool ffmpeg clang clang-tidy libclang-rt-14-dev lld) ;;
  package) packages+=(lintian debootstrap appstream desktop-file-utils dpkg-dev file xz-utils man-db) ;;
  fuzz) packages+=(clang libclang-rt-14-dev) ;;
  *) echo "setup: unknown set of packages '$what' (known: program, tests, check, package, fuzz)" >&2; exit 2 ;;
esac

missing=()
for package in "${packages[@]}"; do
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) == installed ]] || missing+=("$package")
done

if [[ ${#missing[@]} -eq 0 ]]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "setup: ${#missing[@]} packages are missing (${missing[*]}); run this as root, or install sudo" >&2; exit 1; }
  as_root=(sudo)
fi

echo "setup: installing ${#missing[@]} of ${#packages[@]} packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup: done"
