"""One picture alone, as PNG and SVG: what the file holds, and what is refused."""

import base64
import unittest
import xml.etree.ElementTree as ElementTree

from files import png_size, png_texts
from warploom_test import OUTPUTS, ProgramTest, main

SVG = "{http://www.w3.org/2000/svg}"
RUN = "run fractal --backend cpu --frames 1 --set level=4"


class PictureAlone(ProgramTest):
    def picture(self, *words, scene="fractal", file="p.svg", **settings):
        """Stats, and the tree of the SVG."""
        self.scene = scene
        stats = self.run_scene("--picture", file, *words, **settings)
        return stats, ElementTree.parse(self.folder / file).getroot()

    def run_scene(self, *words, **settings):
        return super().run_scene("--interop", "auto", *words, **settings)

    def texts(self, svg):
        return [(float(text.get("y")), text.text) for text in svg.iter(f"{SVG}text")]

    def test_svg(self):
        """Title, legend, axes and verdict are text; the picture is one PNG, of two pixels a point."""
        tracks = ["bounding_box", "lambda_shuffle"]
        for theme, ground in (("light", "#ffffff"), ("dark", "#0e1116")):
            for which, axis, legend in (("B", "x", ("dead", "live")), ("B/launch", "thread x", ("hatched: threads without work", "useful"))):
                with self.subTest(theme=theme, which=which):
                    stats, svg = self.picture("--picture-of", which, "--theme", theme, "--frames", 4, level=5, tracks=tracks)
                    self.assertEqual(svg.find(f"{SVG}rect").get("fill"), ground)
                    texts = self.texts(svg)
                    words = [text for _, text in texts]
                    height = float(svg.get("viewBox").split()[3])
                    self.assertEqual(height, 2 * float(svg.get("height")))
                    self.assertTrue(words[0].startswith("B  "), words)
                    self.assertIn("0", words)
                    below = [y for y, text in texts if text == axis]
                    self.assertTrue(below and below[0] > height / 2, words)
                    for word in legend:
                        self.assertTrue(any(word in text.lower() for text in words), f"{word}: {words}")
                    self.assertTrue(any("step 4" in text for text in words), words)
                    # The verdict is of the stats' numbers, beneath everything.
                    a, b = (track["threads"]["launched"] for track in stats["tracks"])
                    verdict = " ".join(text for y, text in texts if y > below[0] + 30)
                    self.assertIn(f"{b:,}".replace(",", " "), verdict)
                    self.assertIn(f"{a / b:.3g} times fewer than A", verdict)
                    images = list(svg.iter(f"{SVG}image"))
                    self.assertEqual(len(images), 1)
                    data = images[0].get("{http://www.w3.org/1999/xlink}href")
                    (self.folder / "embedded.png").write_bytes(base64.b64decode(data.split("base64,")[1], validate=True))
                    size = png_size(self.folder / "embedded.png")
                    self.assertEqual(size, (float(images[0].get("width")), float(images[0].get("height"))))
                    self.assertGreater(size[0], 1200)

    def test_shapes_and_labels_of_every_scene(self):
        for scene, which, settings, said in (
                ("butterfly", "A/network", {"n": 3}, "t3"),
                ("simplex", "B/data", {"n": 24}, "z"),
                ("bins", "A/memory", {}, "Memory"),
                ("bins", "A/occupancy", {}, "Bins")):
            with self.subTest(scene=scene, which=which):
                _, svg = self.picture("--picture-of", which, "--frames", 1, scene=scene, **settings)
                words = [text for _, text in self.texts(svg)]
                self.assertTrue(any(said in text for text in words), words)
                self.assertGreater(len(list(svg.iter(f"{SVG}path"))), 1)
                self.assertTrue(all(path.get("d").startswith("M") for path in svg.iter(f"{SVG}path")))

    def test_png_is_a_scene(self):
        first = self.run_scene("--picture", "p.png", "--frames", 7, level=5)
        texts = {key: text for key, (_, text) in png_texts(self.folder / "p.png").items()}
        self.assertIn('scene = "fractal"', texts["warploom-scene"])
        self.assertEqual(png_size(self.folder / "p.png")[0], 1600)
        again = self.run_scene("--scene-file", "p.png")
        self.assertEqual((again["steps"], again["tracks"][0]["seal"]), (7, first["tracks"][0]["seal"]))
        self.run_scene("--picture", "q.png", "--capture", "c.png", "--size", "640x480", "--frames", 1, level=4)
        self.assertEqual(png_size(self.folder / "q.png"), (1280, 960))
        self.assertEqual(png_size(self.folder / "c.png"), (640, 480))

    def test_refused(self):
        """Nothing is written, whatever else was asked for."""
        out = " ".join(OUTPUTS)
        self.all_fail(
            (2, f"{RUN} {out} --picture p.jpg", "p.jpg", "did you mean '.png'", ".svg"),
            (2, f"{RUN} {out} --picture p.svgz", "did you mean '.svg'"),
            (2, f"{RUN} {out} --picture p", ".png"),
            (1, f"{RUN} {out} --picture no/p.png", "--picture", "no/p.png"),
            (2, f"{RUN} {out} --picture p.png --picture-of C", "no track C", "A, B"),
            (2, f"{RUN} {out} --picture p.png --picture-of Q", "--picture-of Q", "B/launch"),
            (2, f"{RUN} {out} --picture p.png --picture-of A/lunch", "'lunch'", "'launch'"),
            (5, f"{RUN} {out} --picture p.png --interop none", "--picture", "--interop none"))


if __name__ == "__main__":
    main()
