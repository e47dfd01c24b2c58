#!/usr/bin/env bash
# Installs every Debian package that Warploom needs to build, run and test. Idempotent: a second run changes nothing.
# Needs root or sudo. The CUDA toolkit is optional and not installed here: without it the CPU backend is built.
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config git ca-certificates python3 python3-glad
  libimgui-dev libglfw3-dev libglm-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libfmt-dev libpng-dev libsndfile1-dev libgtest-dev
  libegl-dev libgl-dev libstb-dev
  fonts-inter fonts-jetbrains-mono
  libgl1-mesa-dri libegl-mesa0 libegl1 libgl1 xvfb xauth xdotool
  clang-tidy
)

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
