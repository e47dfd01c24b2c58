"""The documents hold together: pictures are there and no older than their scene files, links and paths lead somewhere.

    tests/pictures_test.py

Needs neither the program nor a build. Standard library only.
"""

import json
import re
import sys
import tomllib
import unittest
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
MOST_LINES = 120  # of README.md
MOST_BYTES = 400 * 1024  # of a picture

sys.path.insert(0, str(ROOT / "tests" / "command_line"))
from files import png_size, png_texts  # noqa: E402

AGAIN = "make it again: scripts/pictures.sh"


def documents():
    """Every Markdown file of the repository, build folders left out."""
    found, folders = [], [ROOT]
    while folders:
        for entry in sorted(folders.pop().iterdir()):
            name = entry.name
            if entry.is_dir() and not name.startswith((".", "build")) and name not in ("b", "install", "shared"):
                folders.append(entry)
            elif name.endswith(".md"):
                found.append(entry)
    return sorted(found)


def without_code(text):
    """The text without fenced blocks and code in lines: what looks like a link there is none."""
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def links(text):
    """(is a picture, words, target) of every link."""
    code_free = without_code(text)
    link = r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*<?([^)\s>]*)>?[^)]*\)"
    for mark, words, target in re.findall(link, code_free):
        yield mark == "!", words, target
        if not mark:  # a picture that is a link
            for inner, inner_target in re.findall(r"!\[([^\]]*)\]\(([^)\s]*)\)", words):
                yield True, inner, inner_target
    for words, target in re.findall(r"^\[([^\]]+)\]:\s*(\S+)", code_free, re.MULTILINE):
        yield False, words, target


def paths(text):
    """The files and folders of the repository that a text names as code; patterns such as gpu/scenes/<scene> are none."""
    rooms = "gpu|viewer|tests|scripts|assets|cmake|docs|examples|shaders"
    named = re.findall(rf"`((?:{rooms})/[^`\s]*)[^`]*`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return {path.rstrip(".,/") for path in named if not re.search(r"[<*{]|your_|YOUR|NAME", path)}


def anchors(path):
    """What GitHub calls the headings of a document."""
    seen, names = {}, set()
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", text, re.M):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def is_elsewhere(target):
    return re.match(r"[a-z][a-z0-9+.-]*:", target) is not None


def shown_pictures():
    """The files that documents show, with the documents and the words."""
    shown = {}
    for document in documents():
        for is_picture, words, target in links(document.read_text()):
            if is_picture and not is_elsewhere(target):
                shown.setdefault((document.parent / unquote(target)).resolve(), []).append((document, words))
    return shown


def name_of(path):
    return str(path.relative_to(ROOT))


def described_parameters(scene):
    """The keys that a scene's parameters have, as its source describes them."""
    source = (ROOT / "viewer" / "scenes" / scene / "parameters.cpp").read_text()
    return set(re.findall(r"\bd\.(?!section)\w+\(\s*\"(\w+)\"", source))


class Documents(unittest.TestCase):
    def test_helpers_find_what_they_should(self):
        text = "[a](x.md) `[b](y.md)` ![c](z.png \"t\") [![d](e.png)](f.md)\n```\n[g](h.md)\n```\n[i]: j.md\n"
        self.assertEqual(sorted(target for _, _, target in links(text)), ["e.png", "f.md", "j.md", "x.md", "z.png"])
        text = "`gpu/core` `gpu/a.h`, `scripts/b.sh -x`\n`tests/NAME.py` `gpu/<scene>/maps` gpu/d.h"
        self.assertEqual(sorted(paths(text)), ["gpu/a.h", "gpu/core", "scripts/b.sh"])
        self.assertLessEqual({"level", "rule", "tracks", "state"}, described_parameters("fractal"))
        self.assertNotIn("Domain", described_parameters("fractal"))
        self.assertGreater(len(documents()), 10)

    def test_readme_is_short(self):
        lines = (ROOT / "README.md").read_text().splitlines()
        self.assertLessEqual(len(lines), MOST_LINES, "README.md: what is longer belongs into docs")

    def test_every_picture_is_there_and_said_in_words(self):
        shown = shown_pictures()
        self.assertTrue(shown)
        for picture, places in shown.items():
            for document, words in places:
                with self.subTest(document=name_of(document), picture=picture.name):
                    self.assertTrue(picture.is_file(), "no such picture")
                    self.assertGreater(len(words), 10, "a picture has words for readers who do not see it")

    def test_every_link_leads_somewhere(self):
        for document in documents():
            for _, words, target in links(document.read_text()):
                if is_elsewhere(target):
                    continue
                with self.subTest(document=name_of(document), link=f"[{words}]({target})"):
                    path, _, anchor = target.partition("#")
                    there = (document.parent / unquote(path)).resolve() if path else document
                    self.assertTrue(there.exists(), "no such file")
                    self.assertTrue(there.is_relative_to(ROOT), "it leads out of the repository")
                    if anchor:
                        self.assertEqual(there.suffix, ".md")
                        self.assertIn(anchor, anchors(there), "no such heading")


    def test_paths_are_those_of_the_tree(self):
        for document in documents():
            if document.name == "CHANGELOG.md":
                continue  # what was
            for path in sorted(paths(document.read_text())):
                with self.subTest(document=name_of(document), path=path):
                    self.assertTrue((ROOT / path).exists(), "no such file or folder")


class Pictures(unittest.TestCase):
    def scenes(self):
        return sorted(PICTURES.glob("*.toml"))

    def test_scene_files_and_pictures_are_pairs_and_shown(self):
        scenes = {path.stem for path in self.scenes()}
        pictures = {path.stem for path in PICTURES.glob("*.png")}
        self.assertTrue(scenes)
        self.assertEqual(pictures - scenes, set(), "pictures without a scene file")
        self.assertEqual(scenes - pictures, set(), "scene files without a picture; " + AGAIN)
        others = [path.name for path in PICTURES.iterdir() if path.suffix not in (".png", ".toml")]
        self.assertEqual(others, [])
        shown = shown_pictures()
        for picture in sorted(PICTURES.glob("*.png")):
            with self.subTest(picture=picture.name):
                self.assertTrue(picture.resolve() in shown, "no document shows it")
                self.assertLess(picture.stat().st_size, MOST_BYTES)

    def test_pictures_are_no_older_than_their_scene_files(self):
        for scene_file in self.scenes():
            with self.subTest(scene=scene_file.name):
                picture = scene_file.with_suffix(".png")
                first = re.match(r"# size (\d+)x(\d+), (?:frames (\d+)(?:, wrong on purpose)?|tour \w+, step \d+)\n", scene_file.read_text())
                self.assertIsNotNone(first, "expected a first line such as '# size 1200x700, frames 60' or '..., tour KEY, step 4'")
                width, height, frames = (int(number or 0) for number in first.groups())
                self.assertEqual(png_size(picture), (width, height), AGAIN)
                texts = png_texts(picture)
                self.assertIn("warploom-scene", texts, "no capture of Warploom; " + AGAIN)
                wanted, taken = tomllib.loads(scene_file.read_text()), tomllib.loads(texts["warploom-scene"][1])
                wanted["run"]["steps"] += frames
                for section in sorted(wanted.keys() | taken.keys()):
                    self.assertEqual(wanted.get(section), taken.get(section), f"[{section}] differs: save the scene file anew, or {AGAIN}")

    def test_pictures_are_no_older_than_the_window(self):
        for picture in sorted(PICTURES.glob("*.png")):
            with self.subTest(picture=picture.name):
                texts = png_texts(picture)
                scene = tomllib.loads(texts["warploom-scene"][1])
                self.assertEqual(set(scene["parameters"]), described_parameters(scene["scene"]),
                                 "the scene has other parameters now: save the scene file anew, and " + AGAIN)
                environment = json.loads(texts["warploom-environment"][1])
                self.assertTrue(environment["backend"] and environment["device"] and environment["commit"])


if __name__ == "__main__":
    unittest.main()
