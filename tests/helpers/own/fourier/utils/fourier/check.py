"""The public checks of the lesson on Fourier."""

import math

from utils.checks.check import Check

dft = Check("dft", title="The transform", sizes={"N": 11})
loudest = Check("loudest", title="The loudest frequency", sizes={"N": 50})


@dft.test("a signal", rtol=1e-3, atol=1e-4)
def signal(probe, dft):
    found = dft(probe.normal(probe["N"]).numpy())
    return [found.real, found.imag]


@loudest.test("a tone with noise")
def tone(probe, loudest):
    N, noise = probe["N"], probe.normal(probe["N"]).numpy()
    return [loudest([math.sin(2 * math.pi * k * n / N) + noise[n] / 20 for n in range(N)], 200) for k in (3, 11)]
