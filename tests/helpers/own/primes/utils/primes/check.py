"""The public checks of the lesson on primes."""

from utils.checks.check import Check

sieve = Check("sieve", title="The sieve of Eratosthenes", sizes={"N": 30})
factors = Check("factors", title="Prime factors", sizes={"N": 5})


@sieve.test("the primes up to a number")
def up_to(probe, sieve):
    return sieve(probe["N"])


@sieve.test("up to the square of a prime")
def square(probe, sieve):
    return sieve(25)


@factors.test("the factors of some numbers")
def some(probe, factors):
    return [sorted((int(f), p) for f, p in probe.value(factors(n)).items()) for n in (40, 97, 360)]
