#!/usr/bin/env bash
# Run by scripts/package.sh in a fresh Debian: installs the .deb in /packages as a user would, uses it, removes it and
# looks for what is left; unpacks the .tar.xz in folders of odd names. Ends at the first thing that is not as it should.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

say() { echo "package test: $*"; }
fail() { say "FAILED: $*" >&2; exit 1; }
expect() { [[ $1 == *"$2"* ]] || fail "'$2' is not in: ${1:0:2000}"; }
as_user() { su -s /bin/bash - visitor -c "$1"; }
tree() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var -o -path /home \) -prune -o -print | sort; }
# What an interactive shell shows when these keys are typed.
typed() {
  { sleep 5; printf '%b' "$2"; sleep 5; printf '\025exit\n'; sleep 1; } |
    { TERM=dumb script -qc "$1" /dev/null; cat >/dev/null; } | tr -d '\r'
}

# It installs, removes and adds a user: never outside the system that package.sh made for it.
[[ ${BASH_SOURCE[0]} == /packages/package_test.sh ]] || fail "run scripts/package.sh test"
# What shells keep lies where no leftover is looked for.
export HOME=/tmp/home
mkdir -p "$HOME"

say "what a desktop has: shells, manual, kinds of files"
apt-get update -qq
apt-get install -y -qq --no-install-recommends bash-completion fish zsh man-db shared-mime-info libglib2.0-bin xz-utils \
  desktop-file-utils hicolor-icon-theme >/dev/null 2>&1
useradd --create-home visitor
tree >/tmp/before

say "install"
apt-get install -y -qq /packages/warploom_*.deb >/dev/null 2>/tmp/log || { cat /tmp/log; fail "apt install"; }

say "warploom doctor, man, a picture"
found=$(as_user "warploom doctor")
expect "$found" "/usr/share/warploom (9 fractals"
expect "$found" "ok   OpenGL"
expect "$(as_user "MANWIDTH=80 man warploom 2>&1")" "warploom run"
as_user "warploom run simplex --frames 3 --capture c.png --stats s.json"
[[ $(as_user "head -c 4 c.png | tail -c 3") == PNG ]] || fail "no picture"
as_user "warploom run c.png --interop none --stats t.json"
as_user "warploom run bins --set input=/usr/share/doc/warploom/examples/helix.pdb --set application=cutcp --frames 1"
# Its fonts: without them the window says which is missing.
fonts=$(dpkg -L fonts-inter fonts-jetbrains-mono | grep -cE '/(Inter-Regular|Inter-SemiBold|JetBrainsMono-Regular)\.(otf|ttf)$')
[[ $fonts -ge 3 ]] || fail "the fonts are not there"

say "completion in bash, zsh and fish"
offered=$(typed 'bash --rcfile /usr/share/bash-completion/bash_completion -i' 'warploom run --s\t\t')
for option in --scene-file --seed --set --size --stats --steps-per-frame; do expect "$offered" "$option"; done
offered=$(typed 'zsh -f -i' 'autoload -U compinit; compinit -u; clear\nwarploom run --s\t\t')
for option in --scene-file --seed --set --size --stats --steps-per-frame; do expect "$offered" "$option"; done
expect "$(typed 'zsh -f -i' 'autoload -U compinit; compinit -u; clear\nwarploom run fractal --set work=\t\t')" single_write
expect "$(fish -c 'complete -C "warploom run --s"' 2>&1 || true)" --steps-per-frame

say "the scene's kind of file, the menu, the icon"
for name in mine.warploom other; do echo 'scene = "bins"' >/tmp/$name.toml; done
expect "$(gio info -a standard::content-type /tmp/mine.warploom.toml)" application/x-warploom-scene
expect "$(gio info -a standard::content-type /tmp/other.toml)" application/toml
expect "$(gio mime application/x-warploom-scene)" warploom.desktop
[[ -f /usr/share/icons/hicolor/scalable/apps/warploom.svg ]] || fail "no icon"

say "remove"
apt-get remove -y -qq warploom >/dev/null 2>&1
left=$(tree | comm -13 /tmp/before - | grep warploom || true; find /var -name '*warploom*')
[[ -z $left ]] || fail "left after apt remove: $left"

say "the archive, in folders of odd names"
for place in "/opt/here" "/home/visitor/Wärp löom [1] ;\$x"; do
  mkdir -p "$place"
  tar -C "$place" -xf /packages/warploom-*.tar.xz
  top=("$place"/*/)
  chown -R visitor "$place"
  expect "$("${top[0]}bin/warploom" doctor)" "${top[0]}share/warploom (9 fractals"
  [[ -f ${top[0]}share/warploom/fonts/Inter-Regular.otf || -f ${top[0]}share/warploom/fonts/Inter-Regular.ttf ]] || fail "no fonts"
  "${top[0]}bin/warploom" run fractal --frames 2 --capture /tmp/c.png
done
rm -rf /opt/here

say "nothing left"
apt-get autoremove -y -qq --purge >/dev/null 2>&1
tree >/tmp/after
# Caches that other packages keep.
diff /tmp/before /tmp/after | grep -vE '^[0-9,acd]+$|^> /(etc/ld.so.cache|usr/share/mime/|root)' >/tmp/left || true
[[ ! -s /tmp/left ]] || { head -40 /tmp/left; fail "$(wc -l </tmp/left) paths differ"; }
say "all is as it should be"
