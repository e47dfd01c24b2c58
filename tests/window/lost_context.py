"""A context that its driver resets: a part of WindowTest (window_test.py), which has its helpers."""

import os
import pathlib
import subprocess
import time

from window import Window, png_colours

TESTS = pathlib.Path(__file__).parent.parent


class LostContextInWindow:
    def test_a_lost_context_is_drawn_anew_in_software(self):
        """After a fault on a device the driver may reset the context: the same process goes on, and says so."""
        library, signal_file = pathlib.Path(self.folder) / "lose.so", pathlib.Path(self.folder) / "lose"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, TESTS / "window" / "lose_context.c"], check=True, timeout=60)
        os.environ.update(LD_PRELOAD=str(library), WARPLOOM_TEST_RESET=str(signal_file))
        try:
            w = self.start("fractal", "--backend", "cpu", "--set", "level=5", "--size", "1000x700")
        finally:
            del os.environ["LD_PRELOAD"], os.environ["WARPLOOM_TEST_RESET"]
        w.key("period", "period", "period", pause=0.4)

        def lose():
            signal_file.touch()
            w.key("F5")  # any key: an idle window draws nothing
            w.began = time.monotonic()

        lose()
        while time.monotonic() < w.began + 10 and "drawn in software from here on" not in w.words():
            time.sleep(0.1)
        self.assertIn("drawn in software from here on", w.words())
        time.sleep(1)  # the window that goes is no longer found
        w.wait_for()
        environment = pathlib.Path(f"/proc/{w.process.pid}/environ").read_bytes()
        self.assertIn(b"LIBGL_ALWAYS_SOFTWARE=1", environment)
        w.key("F12", pause=1.5)
        shots = list(w.pictures.glob("*.png"))
        self.assertEqual(len(shots), 1, w.words())
        self.assertEqual(png_colours(shots[0])[:2], (1000, 700))
        self.assertEqual(self.steps_of(self.session()), 3)
        # A rasteriser in software that loses its context, too, is not started again and again.
        lose()
        self.assertEqual(w.wait_end(), 1, w.words())
        self.assertIn("the graphics driver reset the drawing context", w.words().splitlines()[-1])
        # What counts its frames ends at once: they could not be told.
        os.environ.update(LD_PRELOAD=str(library), WARPLOOM_TEST_RESET=str(signal_file))
        try:
            counted = Window(self.folder, "fractal", "--backend", "cpu", "--frames", 100000, "--capture", "c.png").wait_for()
        finally:
            del os.environ["LD_PRELOAD"], os.environ["WARPLOOM_TEST_RESET"]
        signal_file.touch()
        self.open.append(counted)
        self.assertEqual(counted.wait_end(), 1, counted.words())
        self.assertIn("not captured: c.png", counted.words())
        self.assertFalse((counted.work / "c.png").exists())
