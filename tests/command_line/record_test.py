"""Films: numbered pictures that are the same twice, and what ffmpeg makes of them (docs/learning.md)."""

import os
import shutil
import subprocess
from pathlib import Path

from oracle import Settings
from warploom_test import ProgramTest, main

SCRIPT = 'set level=4 block=4\nwait built\nmark data_A "cells"\nview zoom=2 in 0.5\nstep 2\nclick top/step\nwait 4 frames\n'


class Record(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "s.txt").write_text(SCRIPT)

    def film(self, target, *more, env=None):
        return self.warploom("run", "fractal", "--script", "s.txt", "--record", target, "--record-rate", 20, "--backend", "cpu",
                             "--size", "641x481", *more, env=env)

    def pictures(self, name):
        return [(path.name, path.read_bytes()) for path in sorted((self.folder / name).iterdir())]

    def drawn(self, done):
        if done.code == 5:
            self.skipTest("no OpenGL")
        self.assertEqual(done.code, 0, done)

    def test_pictures_are_numbered_and_the_same_twice(self):
        for name in ("one", "two"):
            self.drawn(self.film(name))
        first = self.pictures("one")
        self.assertGreater(len(first), 14)
        self.assertEqual(first[0][0], "frame_000001.png")
        self.assertEqual(first, self.pictures("two"))
        # An earlier film gives way as a whole.
        self.drawn(self.warploom("run", "fractal", "--frames", 3, "--record", "one", "--backend", "cpu", "--size", "640x480"))
        self.assertEqual(len(self.pictures("one")), 3)

    def test_a_script_films_a_part(self):
        (self.folder / "s.txt").write_text("set level=4 block=4\nwait built\nrecord part\nwait 5 frames\nrecord off\nwait 4 frames\n")
        self.drawn(self.warploom("run", "fractal", "--script", "s.txt", "--backend", "cpu", "--size", "640x480"))
        self.assertIn(len(self.pictures("part")), (5, 6))

    def test_a_film_of_a_script_has_a_frame_for_each_step(self):
        (self.folder / "s.txt").write_text("set level=4 block=4\nwait built\nstep 5\n")
        self.drawn(self.warploom("run", "fractal", "--script", "s.txt", "--record", "steps", "--backend", "cpu", "--size", "640x480"))
        self.assertEqual(len(self.pictures("steps")), 5)

    def test_films_have_all_frames(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("no ffmpeg")
        self.drawn(self.film("pictures"))
        frames = len(self.pictures("pictures"))
        for name in ("c.mp4",) if Settings.quick else ("c.mp4", "c.webm", "c.gif"):
            self.drawn(self.film(name))
            told = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                                   "stream=nb_read_frames,width,height", "-of", "csv=p=0", name], cwd=self.folder, capture_output=True, text=True)
            width, height, count = map(int, told.stdout.strip().rstrip(",").split(","))
            self.assertEqual(count, frames, name)
            self.assertEqual((width, height), (641, 481) if name.endswith("gif") else (642, 482))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if "part" in path.name), [])

    def test_what_is_refused(self):
        self.assertEqual(self.film("c.avi").code, 2)
        self.assertEqual(self.film("no/such/c.mp4").code, 1)
        (self.folder / "other").mkdir()
        (self.folder / "other" / "mine.txt").write_text("mine")
        self.assertEqual(self.film("other").code, 1)
        self.assertEqual((self.folder / "other" / "mine.txt").read_text(), "mine")
        # A window says the same before it opens.
        self.assertEqual(self.warploom("view", "--record", "other").code, 1)
        done = self.warploom("view", "--record", "c.mp4", env=self.environment(PATH="/nonexistent"))
        self.assertEqual(done.code, 1, done)
        self.assertIn("install the package ffmpeg", done.err)
        self.assertEqual(self.warploom("run", "fractal", "--record", "d", "--record-rate", 0).code, 2)
        self.assertEqual(self.warploom("run", "fractal", "--record", "d", "--interop", "none").code, 5)
        done = self.film("c.mp4", env=self.environment(PATH="/nonexistent"))
        self.assertIn(done.code, (1, 5), done)
        if done.code == 1:
            self.assertIn("install the package ffmpeg", done.err)
        self.assertFalse((self.folder / "c.mp4").exists())

    def test_an_encoder_that_fails_leaves_nothing(self):
        program = self.folder / "bin" / "ffmpeg"
        program.parent.mkdir()
        for body, words in (("exec 0<&-; echo gone wrong >&2; exit 3", "gone wrong"), ("cat > /dev/null; kill -9 $$", "signal 9"),
                            ("cat > /dev/null; echo No space left on device >&2", "No space left")):
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
            done = self.film("c.mp4", env=self.environment(PATH=f"{program.parent}:{os.environ['PATH']}"))
            if done.code == 5:
                self.skipTest("no OpenGL")
            self.assertEqual(done.code, 1, done)
            self.assertRegex(done.err, f"{words}|takes no more frames")
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["bin", "s.txt"])


if __name__ == "__main__":
    main()
