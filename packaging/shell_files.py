#!/usr/bin/env python3
"""Writes the man page and the completions of bash, zsh and fish, from what the program says of itself.

    packaging/shell_files.py PROGRAM FOLDER

FOLDER gets warploom.1, warploom.bash, _warploom and warploom.fish.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
# What a user keeps must not come into a package.
clean = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent", "XDG_STATE_HOME": "/nonexistent"}


def said(*words):
    return subprocess.run([program, *words], env=clean, check=True, capture_output=True, text=True).stdout


known = json.loads(said("list", "--json"))
commands = [row for row in known["options"] if not row["command"]]
scenes = [row["key"] for row in known["scenes"]]
settings = {scene: [row for row in known["parameters"] if row["scene"] == scene] for scene in scenes}


def keys(topic):
    return [row["key"] for row in known[topic]]


def taken_by(command):
    return [row for row in known["options"] if row["command"] == command["key"]]


def is_option(row):
    return row["key"].startswith("-")


def values(row):
    """What may follow an option, or be a word: ("words", a list), ("files", None), ("settings", None) or ("", None)."""
    takes = row["takes"] if is_option(row) else row["key"]
    if takes == "KEY=VALUE":
        names = row["help"].split(", ")
        plain = all(re.fullmatch("[a-z_]+", name) for name in names)
        return ("words", [name + "=" for name in names]) if plain else ("settings", None)
    named = {"PRESET": "presets", "SUITE": "suites", "SCENE": "scenes"}
    if takes in named:
        return "words", keys(named[takes])
    if takes == "TOPIC":
        return "words", list(known)
    if takes.startswith(("FILE", "DIR")):
        return "files", None
    return ("words", takes.split("|")) if re.fullmatch(r"[a-z|]+", takes) else ("", None)


def takes_file(parameter):
    return "file" in parameter["range"]


def by_value(command_rows):
    """Options that take a value, those with the same values together: [(kind, words, [row])]."""
    groups = {}
    for row in command_rows:
        if is_option(row) and row["takes"]:
            kind, words = values(row)
            groups.setdefault((kind, tuple(words or ())), []).append(row)
    return [(kind, list(words), rows) for (kind, words), rows in groups.items()]


# ---- bash -------------------------------------------------------------------------------------------------------------
def bash():
    options = {command["key"]: [row for row in taken_by(command) if is_option(row)] for command in commands}
    after, plain, parameters = [], [], []
    for kind, words, rows in by_value([row for row in known["options"] if row["command"]]):
        pattern = "|".join(f"{row['command']},{row['key']}" for row in rows)
        act = {"words": f"replies='{' '.join(words)}'", "files": "files=1", "settings": "_warploom_setting; return",
               "": "return"}[kind]
        after.append(f"    {pattern}) {act} ;;")
    for command in commands:
        name = command["key"]
        word = next((row for row in taken_by(command) if not is_option(row)), None)
        kind, words = values(word) if word else ("", None)
        plain.append(f"        {name},-*) replies='{' '.join(row['key'] for row in options[name])}' ;;")
        files = " files=1" if kind == "files" or (word and "file" in word["help"]) else ""
        plain.append(f"        {name},*) replies='{' '.join(words or [])}'{files} ;;")
    seen = set()
    for scene in scenes:
        for row in settings[scene]:
            pattern = f"{scene},{row['key']}" + ("" if row["key"] in seen else f"|,{row['key']}")
            seen.add(row["key"])
            if row.get("choices") or takes_file(row):
                files = " files=1" if takes_file(row) else ""
                parameters.append(f"    {pattern}) replies='{' '.join(row.get('choices', []))}'{files} ;;")
    names = [f"    {scene}) replies='{' '.join(row['key'] for row in settings[scene])}' ;;" for scene in scenes]
    every = " ".join(sorted(seen))
    newline = "\n"
    return f"""# Completion of warploom for bash; made from `warploom list --json`.
_warploom_reply() {{
  mapfile -t COMPREPLY < <(compgen "$@" -W "$replies" -- "$cur")
  [[ $files ]] || return 0
  compopt -o filenames 2>/dev/null
  mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$cur")
}}

# KEY=VALUE of a scene; the values of a list are parted by commas.
_warploom_setting() {{
  local key=${{cur%%=*}} before=
  if [[ $cur != *=* ]]; then
    case $scene in
{newline.join('  ' + line for line in names)}
      *) replies='{every}' ;;
    esac
    compopt -o nospace 2>/dev/null
    _warploom_reply -S =
    return
  fi
  cur=${{cur#*=}}
  [[ $cur != *,* ]] || before=${{cur%,*}},
  case $scene,$key in
{newline.join(parameters)}
  esac
  [[ -z $before ]] || replies=$before${{replies// / $before}}
  # Bash replaces what stands behind '=', unless it was told not to part words there.
  if [[ $COMP_WORDBREAKS == *=* ]]; then _warploom_reply; else _warploom_reply -P "$key="; fi
}}

_warploom() {{
  local line=${{COMP_LINE:0:COMP_POINT}} command=view scene= replies= files= words cur prev i
  read -ra words <<<"$line"
  [[ $line != *[[:blank:]] ]] || words+=('')
  for ((i = 1; i < ${{#words[@]}} - 1; i++)); do
    case ${{words[i]}} in
      {'|'.join(c['key'] for c in commands)}) ((i > 1)) || command=${{words[i]}} ;;
      {'|'.join(scenes)}) scene=${{words[i]}} ;;
    esac
  done
  cur=${{words[-1]}} prev=${{words[-2]}}
  if [[ $cur == --*=* ]]; then
    prev=${{cur%%=*}} cur=${{cur#*=}}
  fi
  case $command,$prev in
{newline.join(after)}
    *)
      case $command,$cur in
{newline.join(plain)}
      esac
      ((${{#words[@]}} > 2)) || replies+=' {' '.join([c['key'] for c in commands] + ['help', '--help', '--version'])}'
      ;;
  esac
  _warploom_reply
}}
complete -F _warploom warploom
"""


# ---- zsh --------------------------------------------------------------------------------------------------------------
def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh():
    def action(row):
        kind, words = values(row)
        return {"words": f"({' '.join(words or [])})", "files": "_files", "settings": "_warploom_setting", "": " "}[kind]

    cases, parameters, names = [], [], []
    for command in commands:
        lines = []
        for row in taken_by(command):
            if is_option(row):
                value = f":{zsh_text(row['takes'])}:{action(row)}" if row["takes"] else ""
                lines.append(f"'*{row['key']}[{zsh_text(row['help'])}]{value}'")
            else:
                also = "_warploom_scene" if row["key"] == "SCENE" else action(row)
                lines.append(f"'*:{row['key']}:{also}'")
        cases.append(f"    {command['key']}) _arguments " + " \\\n      ".join(lines) + " ;;")
    for scene in scenes:
        names.append(f"      {scene}) keys=({' '.join(row['key'] for row in settings[scene])}) ;;")
        for row in settings[scene]:
            if row.get("choices") or takes_file(row):
                files = "; _files" if takes_file(row) else ""
                parameters.append(f"    {scene},{row['key']}) compadd -- {' '.join(row.get('choices', []))}{files} ;;")
    described = "\n    ".join(f"'{c['key']}:{zsh_text(c['help'])}'" for c in commands)
    newline = "\n"
    return f"""#compdef warploom
# Made from `warploom list --json`.
_warploom_scene() {{
  compadd -- {' '.join(scenes)}
  _files -g '*.(toml|png)'
}}

_warploom_setting() {{
  local scene=${{${{words[(r)({'|'.join(scenes)})]}}:-{scenes[0]}}} key=${{PREFIX%%=*}}
  if [[ $PREFIX != *=* ]]; then
    local -a keys
    case $scene in
{newline.join(names)}
    esac
    compadd -S = -- $keys
    return
  fi
  compset -P '*='
  compset -P '*,'
  case $scene,$key in
{newline.join(parameters)}
  esac
}}

_warploom() {{
  local command=view
  local -a commands
  commands=(
    {described}
  )
  if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
    _describe command commands
    _warploom_scene
    return
  fi
  case $words[2] in
    {'|'.join(c['key'] for c in commands)})
      command=$words[2]
      shift words
      ((CURRENT--))
      ;;
  esac
  case $command in
{newline.join(cases)}
  esac
}}
_warploom "$@"
"""


# ---- fish -------------------------------------------------------------------------------------------------------------
def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish():
    others = " ".join(command["key"] for command in commands[1:])
    lines = ["# Completion of warploom for fish; made from `warploom list --json`.", "function __warploom_settings",
             "  set -l words (commandline -poc)", "  set -l token (commandline -ct)"]
    for number, scene in enumerate(scenes):
        seen = "true" if number + 1 == len(scenes) else f"contains -- {scene} $words"
        lines.append(f"  {'if' if number == 0 else 'else if'} {seen}")
        for row in settings[scene]:
            words = [f"{row['key']}={choice}" for choice in row.get("choices", [])] or [row["key"] + "="]
            lines.append(f"    string match -q -- '{row['key']}=*' $token; and printf '%s\\n' {' '.join(words)}")
        lines.append("    printf '%s\\t%s\\n' " + " ".join(
            f"{row['key']}= {fish_text(row['help'])}" for row in settings[scene]))
    lines += ["  end", "end", "complete -c warploom -f"]
    for command in commands:
        name = command["key"]
        lines.append(f"complete -c warploom -n __fish_use_subcommand -a {name} -d {fish_text(command['help'])}")
        when = f"not __fish_seen_subcommand_from {others}" if command is commands[0] else \
            f"__fish_seen_subcommand_from {name}"
        for row in taken_by(command):
            kind, words = values(row)
            what = f"-l {row['key'][2:]}" if is_option(row) else "-F" if "file" in row["help"] else ""
            if kind == "files":
                what += " -r -F" if is_option(row) else " -F"
            elif kind == "settings":
                what += " -x -a '(__warploom_settings)'"
            elif kind == "words":
                what += (" -x" if is_option(row) else "") + f" -a '{' '.join(words)}'"
            elif row["takes"]:
                what += " -x"
            lines.append(f"complete -c warploom -n '{when}' {what.strip()} -d {fish_text(row['help'])}")
    return "\n".join(lines) + "\n"


# ---- man --------------------------------------------------------------------------------------------------------------
def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(("\\&" if line[:1] in ("'", ".") else "") + line for line in text.splitlines())


def man():
    version = said("--version").split()[1]
    usage = said("--help")
    codes = " ".join(usage[usage.index("Exit codes:"):].split())
    lines = [f'.TH WARPLOOM 1 "" "Warploom {version}" "User Commands"', ".SH NAME",
             "warploom \\- see how GPU threads find their data", ".SH SYNOPSIS"]
    for command in commands:
        words = "".join(f" [{row['key']}]" for row in taken_by(command) if not is_option(row))
        lines += [f".B warploom {command['key']}", f"[\\fIoptions\\fR]{words}", ".br"]
    lines += [".SH DESCRIPTION",
              "Warploom runs GPU kernels under different thread maps, draws what each thread does, and times them.",
              f"Without a command it is {roff(commands[0]['key'])}. \\-\\- ends the options."]
    for command in commands:
        lines += [f".SH {command['key'].upper()}", roff(command["help"][0].upper() + command["help"][1:] + ".")]
        for row in taken_by(command):
            lines += [".TP", f".B {roff(row['key'])}" + (f" \\fI{roff(row['takes'])}\\fR" if row["takes"] else ""),
                      roff(row["help"])]
    lines += [".SH PARAMETERS", "Each scene has its own, given as", ".BR \\-\\-set \\~KEY=VALUE ."]
    for row in known["scenes"]:
        lines += [f".SS {roff(row['key'])}", roff(row["description"])]
        for parameter in settings[row["key"]]:
            lines += [".TP", f".BR {roff(parameter['key'])} \\~=\\~{roff(parameter['default']) or '(nothing)'}",
                      roff(f"{parameter['help']} ({parameter['range']})")]
    lines += [".SH KEYS", "The keys of the window, in the order of its help."]
    for row in known["commands"]:
        if row["key"]:
            lines += [".TP", f".B {roff(row['key'])}", roff(row["title"])]
    lines += [".SH EXIT STATUS", roff(codes.replace("Exit codes: ", "").rstrip(".") + "; 128 + n: ended by signal n."),
              ".SH FILES", ".TP", ".I ~/.config/warploom", "Fractals and presets of your own.", ".TP",
              ".I ~/.local/state/warploom", "The session: what the window showed when it was closed.",
              ".SH SEE ALSO", "The documents in the folder share/doc/warploom beside the program's folder bin."]
    return "\n".join(line for line in lines if line) + "\n"


folder.mkdir(parents=True, exist_ok=True)
for name, text in (("warploom.1", man()), ("warploom.bash", bash()), ("_warploom", zsh()), ("warploom.fish", fish())):
    (folder / name).write_text(text)
