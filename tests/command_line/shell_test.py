"""The man page and the completions that a package has: they say what the program says."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from oracle import Settings
from warploom_test import OPTIONS, ProgramTest, main

MAKER = Path(__file__).resolve().parents[2] / "packaging" / "shell_files.py"
COMMANDS = ("view", "run", "export", "bench", "diff", "class", "list", "doctor")
SCENES = {"fractal", "simplex", "bins", "butterfly"}


class ShellFiles(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.made = Path(tempfile.mkdtemp(prefix="warploom-shell-"))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        subprocess.run([sys.executable, "-B", MAKER, Settings.program, cls.made], check=True)

    def text(self, name):
        return (self.made / name).read_text()

    def run_shell(self, *words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.split()

    def bash(self, line):
        """What bash offers for a line when Tab is pressed at its end."""
        return self.run_shell("bash", "-c", 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _warploom; printf "%s\\n" "${COMPREPLY[@]}"',
                              "bash", self.made / "warploom.bash", line)

    def fish(self, line):
        return self.run_shell("fish", "--no-config", "-c", f"source {self.made}/warploom.fish; complete -C '{line}' | string replace -r '\\t.*' ''; true")

    def check_completion(self, complete):
        self.assertEqual(set(complete("warploom run --s")), {o for o in OPTIONS if o.startswith("--s")})
        self.assertLessEqual({"run", "doctor"}, set(complete("warploom ")))
        self.assertEqual(complete("warploom do"), ["doctor"])
        self.assertEqual(complete("warploom doctor --j"), ["--json"])
        self.assertLessEqual(SCENES, set(complete("warploom run ")))
        self.assertEqual(complete("warploom run simplex --theme d"), ["dark"])
        self.assertEqual(set(complete("warploom --backend ")), {"auto", "cuda", "cpu"})
        self.assertIn("ceilings", complete("warploom bench ce"))
        self.assertIn("parameters", complete("warploom list p"))
        self.assertIn("paper_life", complete("warploom run --preset paper_l"))
        (self.folder / "scene.toml").write_text("schema = 1\n")
        self.assertIn("scene.toml", complete("warploom run --scene-file s"))
        self.assertIn("scene.toml", complete("warploom sce"))
        parameters = json.loads(self.succeeds("list", "parameters", "--json", silent=False).out)
        for scene in SCENES:
            keys = {row["key"] for row in parameters if row["scene"] == scene}
            self.assertEqual({word.rstrip("=") for word in complete(f"warploom run {scene} --set ")}, keys)

    def test_bash(self):
        self.check_completion(self.bash)
        self.assertEqual(self.bash("warploom run fractal --set work=si"), ["single_write"])
        self.assertEqual(self.bash("warploom run simplex --set tracks=bounding_box,h_m"), [
            "bounding_box,h_map", "bounding_box,h_map/blocked"])
        self.assertEqual(self.bash("warploom run --theme=l"), ["light"])
        self.assertEqual(self.bash("warploom run --frames "), [])

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        self.check_completion(self.fish)
        self.assertIn("work=single_write", self.fish("warploom run fractal --set work=si"))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        self.run_shell("zsh", "-n", self.made / "_warploom")

    def test_all_options_are_everywhere(self):
        for row in json.loads(self.succeeds("list", "options", "--json", silent=False).out):
            with self.subTest(command=row["command"], option=row["key"]):
                page = self.text("warploom.1").replace("\\-", "-").replace("\\e", "\\").lower()
                self.assertTrue(row["help"].lower() in page, "not in the man page")
                if row["key"].startswith("--"):
                    self.assertIn(row["key"], self.bash(f"warploom {row['command']} {row['key'][:4]}"))
                    self.assertIn(f"'*{row['key']}[", self.text("_warploom"))
                    self.assertIn(f" -l {row['key'][2:]} ", self.text("warploom.fish"))

    def test_lists_are_complete(self):
        """`list options` has what each command's help has."""
        rows = json.loads(self.succeeds("list", "options", "--json", silent=False).out)
        self.assertEqual([row["key"] for row in rows if not row["command"]], list(COMMANDS))
        for command in COMMANDS:
            text = self.succeeds(command, "--help", silent=False).out
            for option in (word.strip(",") for line in text.splitlines() for word in line.split()[:1] if word.startswith("-")):
                option = option.split(",")[-1]
                self.assertIn(option, [row["key"] for row in rows if row["command"] == command])

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_man_page(self):
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", self.made / "warploom.1"], capture_output=True, text=True,
                              env=self.environment(MANWIDTH="80"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("NAME", "warploom run", "--steps-per-frame", "EXIT STATUS", "128 + n", "tracks = "):
            self.assertIn(word, done.stdout)

    def test_a_file_as_a_word(self):
        """A file manager calls the program with the file alone."""
        text = 'schema = 1\nscene = "simplex"\n[parameters]\nn = 12\n'
        (self.folder / "mine.warploom.toml").write_text(text)
        self.succeeds("run", "mine.warploom.toml", "--interop", "none", "--stats", "s.json")
        stats = self.json("s.json")
        self.assertEqual((stats["scene"], stats["parameters"]["n"]), ("simplex", 12))
        self.fails(1, "run", "missing.toml", says=["missing.toml", "no such file"])


if __name__ == "__main__":
    main()
