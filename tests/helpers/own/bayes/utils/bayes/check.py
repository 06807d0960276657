"""The public checks of the lesson on Bayes' rule."""

from utils.checks.check import Check

posterior = Check("posterior", title="Probabilities afterwards", sizes={"H": 5})
sick_if_positive = Check("sick_if_positive", title="A positive test", sizes={"N": 3})


@posterior.test("what one observation says")
def once(probe, posterior):
    prior = probe.uniform(probe["H"], low=0.1)
    return posterior(prior / prior.sum(), probe.uniform(probe["H"]))


@sick_if_positive.test("rare and frequent illnesses")
def illnesses(probe, sick_if_positive):
    return [sick_if_positive(share, 0.9, 0.8) for share in (0.01, 0.2)]
