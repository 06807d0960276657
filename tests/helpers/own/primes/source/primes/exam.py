"""The exams of the lesson on primes."""

from utils.primes import check

from autograder.exams.exam import Exam

sieve = Exam.of(check.sieve)
factors = Exam.of(check.factors)


@sieve.test("how many there are")
def how_many(probe, sieve):
    return probe.value(sieve(169)).sum()


@factors.test("the product gives the number again")
def product(probe, factors):
    found = probe.value(factors(720))
    result = 1
    for factor, power in found.items():
        result *= int(factor) ** power
    return result
