"""What all tuned programs of butterflies promise: they do what their plans say."""

from butterfly_test import ButterflyTest
from warploom_test import sets


def gathered(digits, number):
    """Bit i is digit digits[i] of the number."""
    return sum((number >> d & 1) << i for i, d in enumerate(digits))


class TunedTest(ButterflyTest):
    def command(self, **settings):
        return "run", "butterfly", "--backend", self.backend, "--interop", "none", "--frames", 1, *sets(settings)

    def check_places(self, track, network):
        """Threads and registers after each stage are the digits that the steps name."""
        (stages, slots, _), at = self.array(track, "locations")
        self.assertEqual(stages, network["stages"] + 1)
        for stage in range(stages):
            step = next((s for s in network["steps"] if stage and s["stages"] and s["stages"][0] <= stage <= s["stages"][1]), network["steps"][0])
            for slot in range(slots):
                base = (stage * slots + slot) * 3
                self.assertEqual((at[base], at[base + 1]), (gathered(step["thread"], slot), gathered(step["register"], slot)))

    def check_accesses(self, track, network):
        """Each element is written once and read once in each exchange, at the word that the plan names, without a conflict."""
        size = network["word_bytes"]
        slots = 1 << network["mapping"]["s"]
        crossings = [(before, step) for before, step in zip(network["steps"], network["steps"][1:]) if step["words"]]
        self.assertEqual(network["exchanges"], len(crossings))
        if all(step["in_warp"] for _, step in crossings):
            self.assertEqual(network["barriers"], 0)

        def word(words, number):
            return number + (number >> words["a"]) * words["b"]

        of_warp = max([word(s["words"], (1 << len(s["words"]["order"])) - 1) + 1 for _, s in crossings if s["in_warp"]], default=0)
        expected = set()
        for before, step in crossings:
            stage = step["stages"][0] if step["stages"] else network["stages"] + 1
            for slot in range(slots):
                at = word(step["words"], gathered(step["words"]["order"], slot))
                writer, reader = gathered(before["thread"], slot), gathered(step["thread"], slot)
                if step["in_warp"]:
                    self.assertEqual(writer // 32, reader // 32)
                    at += writer // 32 * of_warp
                expected |= {(stage, 0, writer, size * at, slot), (stage, 1, reader, size * at, slot)}
        (count, _), rows = self.array(track, "accesses")
        told = [rows[6 * k : 6 * k + 6] for k in range(count)]
        self.assertEqual({(s, r, thread, byte, slot) for s, r, _, thread, byte, slot in told}, expected)
        self.check_conflicts(track, network)

    def check_conflicts(self, track, network):
        """No bank gives two words at a time, and the wavefronts told are those of the accesses."""
        size = network["word_bytes"]
        lanes = 128 // size
        (count, _), rows = self.array(track, "accesses")
        phases = {}
        for k in range(count):
            _, _, instruction, thread, byte, _ = rows[6 * k : 6 * k + 6]
            phases.setdefault((instruction, thread // lanes), set()).add(byte // size)
        for words in phases.values():
            self.assertEqual(len({word % lanes for word in words}), len(words), "a bank gives one word at a time")
        for told in ("wavefronts", "ideal"):
            self.assertEqual(sum(s[side][told] for s in network["by_stage"] for side in ("write", "read")), len(phases))
