"""A context that its driver resets: a part of WindowTest (window_test.py), which has its helpers."""

import os
import pathlib
import subprocess
import time

from window import ask_to_close, png_colours

TESTS = pathlib.Path(__file__).parent.parent


class LostContextInWindow:
    def test_a_lost_context_is_drawn_anew_in_software(self):
        """After a fault on a device the driver may reset the context: the same process goes on, and says so."""
        library, signal_file = pathlib.Path(self.folder) / "lose.so", pathlib.Path(self.folder) / "lose"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, TESTS / "window" / "lose_context.c"], check=True, timeout=60)

        def start(*words):
            os.environ.update(LD_PRELOAD=str(library), WARPLOOM_TEST_RESET=str(signal_file))
            try:
                return self.start("fractal", "--backend", "cpu", "--set", "level=5", "--size", "1000x700", *words)
            finally:
                del os.environ["LD_PRELOAD"], os.environ["WARPLOOM_TEST_RESET"]

        def until(holds, what):
            end = time.monotonic() + 20
            while not holds():
                self.assertLess(time.monotonic(), end, what)
                time.sleep(0.1)

        def lose(event):
            time.sleep(1.5)  # an idle window draws nothing before the event
            signal_file.touch()
            event()

        w = start()
        w.key("period", "period", "period", pause=0.4)
        lose(lambda: w.key("F5"))
        until(lambda: "draws the session in software" in w.words(), "it goes on")
        time.sleep(1)  # the window that goes is no longer found
        w.began = time.monotonic()
        w.wait_for()
        environment = pathlib.Path(f"/proc/{w.process.pid}/environ").read_bytes()
        self.assertIn(b"LIBGL_ALWAYS_SOFTWARE=1", environment)
        time.sleep(1)
        w.key("F12")
        until(lambda: list(w.pictures.glob("*.png")), "a capture: " + w.words())
        time.sleep(0.5)
        self.assertEqual(png_colours(next(w.pictures.glob("*.png")))[:2], (1000, 700))
        # A rasteriser in software that loses its context, too, is not started again and again.
        (self.state() / "session.toml").unlink()
        lose(lambda: w.key("F5"))
        self.assertEqual(w.wait_end(), 1, w.words())
        self.assertIn("the graphics driver reset the drawing context", w.words().splitlines()[-1])
        self.assertEqual(self.steps_of(self.session()), 3)
        # Who ends the program in the very frame that is lost gets that.
        w = start()
        lose(lambda: ask_to_close(w.id))
        self.assertEqual(w.wait_end(), 0, w.words())
        self.assertNotIn("in software", w.words())
        # What counts its frames ends at once: they could not be told.
        w = start("--frames", 100000, "--capture", "c.png")
        signal_file.touch()
        self.assertEqual(w.wait_end(), 1, w.words())
        self.assertIn("not captured: c.png", w.words())
        self.assertFalse((w.work / "c.png").exists())
