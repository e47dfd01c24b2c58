#!/usr/bin/env bash
# Builds the program and makes its packages in build/release/packages: warploom_VERSION_ARCHITECTURE.deb for Debian 12,
# and a .tar.xz that runs from any folder. lintian must find no error.
#   scripts/package.sh [test]     test: also installs, runs and removes both in a fresh Debian; needs root
# In the environment: WARPLOOM_BUILD=FOLDER packs what is built there; WARPLOOM_FRESH=FILE.tar is a minimal Debian 12,
# which debootstrap makes otherwise; WARPLOOM_MAINTAINER="NAME <ADDRESS>" stands in the .deb.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/building.sh

[[ $# -eq 0 || $* == test ]] || { echo "package: unknown words '$*' (known: test)" >&2; exit 2; }
[[ $# -eq 0 || $(id -u) -eq 0 ]] || { echo "package: the test needs root, to enter another system" >&2; exit 1; }

scripts/setup.sh package
folder=${WARPLOOM_BUILD:-build/release}
named=(${WARPLOOM_MAINTAINER:+-DWARPLOOM_MAINTAINER="$WARPLOOM_MAINTAINER"})
if [[ -z ${WARPLOOM_BUILD:-} ]]; then
  # For every GPU from compute capability 7.5 on, whichever this machine has.
  configure release -DWARPLOOM_TESTS=OFF "-DCMAKE_CUDA_ARCHITECTURES=75-virtual;80;90" "${named[@]}"
  build release
else
  cmake -S . -B "$folder" "${named[@]}" >/dev/null
fi
rm -rf "$folder/packages"
(cd "$folder" && cpack 2>&1 | grep -E 'Error|generated') || { echo "package: cpack failed" >&2; exit 1; }
as_user=()
[[ $(id -u) -ne 0 ]] || as_user=(--allow-root)
lintian "${as_user[@]}" --fail-on error --tag-display-limit 0 "$folder"/packages/*.deb
desktop-file-validate packaging/warploom.desktop
appstreamcli validate --no-net "$folder"/packaging/*.metainfo.xml
rm -rf "$folder/packages/_CPack_Packages"
ls -l "$folder"/packages
[[ $# -eq 1 ]] || exit 0

fresh=$(mktemp -d)
trap 'rm -rf --one-file-system "$fresh"' EXIT
if [[ -n ${WARPLOOM_FRESH:-} ]]; then
  tar -C "$fresh" -xf "$WARPLOOM_FRESH"
else
  debootstrap --variant=minbase bookworm "$fresh" >/dev/null
fi
cp /etc/resolv.conf "$fresh/etc/resolv.conf"
mkdir "$fresh/packages"
cp "$folder"/packages/* scripts/package_test.sh "$fresh/packages"
# What is mounted there goes with the processes that see it.
unshare --mount bash -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
  exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    bash /packages/package_test.sh' bash "$fresh"
