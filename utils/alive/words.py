"""The words that every explorer's page shows, by the keys that the modules in `js/` use."""

from utils.common.messages import N_, in_context

COMMON = {
    "theme": N_("Light or dark"),
    "guide": N_("Guided look"),
    "step": N_("{n} of {of}"),
    "next": in_context("guided look", "Next"),
    "back": N_("Back"),
    "end": N_("Done"),
    "skip": N_("Skip"),
    "percent": N_("{share}%"),
    "decimal_sign": in_context("decimal sign", "."),
    "mistakes": N_("What a mistake does"),
    "no_mistake": N_("Switch a mistake on: your trained weights stay as they are, only the formula changes."),
    "try": N_("Try this: guess first"),
    "show": N_("Show me"),
    "guessed": N_("You guessed {good} of {of}."),
    "whole": N_("The whole"),
    "layer": N_("A layer"),
    "number": N_("A number"),
    "components": N_("component by component"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "power": N_("e to the power of (score − largest score {most}) = {power}"),
    "temperature": N_("temperature of the softmax"),
    "reset": N_("Reset"),
    "wrong": N_(
        "With your weights, the lesson's formula gives other numbers than your own network ({name}): they differ by "
        "{d}. So nothing is drawn here. Check your class first."
    ),
    "broken": N_("This page cannot show these networks: the numbers in it are damaged."),
}

# The words of a way through the model, `walk.js`; `stage_…` are the names of the stages.
WALK = {
    "walk": N_("One way through the model, step by step"),
    "walk_head": N_("The head on this path"),
    "walk_component": N_("component {c}: {numbers}"),
    "walk_questions": N_("Five questions to answer with this walk"),
    "stage_embedding": N_("embedding"),
    "stage_qkv": N_("query, key, value"),
    "stage_score": N_("score"),
    "stage_weights": N_("weights"),
    "stage_values": N_("values"),
    "stage_stream": N_("stream"),
    "stage_logits": N_("logits"),
    "stage_adds": N_("what each part adds"),
    "query": N_("query"),
    "value": N_("value"),
    "product": N_("product"),
    "times": N_("{weight} × {name}"),
    "others": N_("all the others"),
    "added_up": N_("added up"),
    "to": N_("{from} → {to}"),
    "walk_score": N_(
        "The query times the key, component by component. The better the two agree, the higher the score."
    ),
    "walk_weights": N_("The softmax turns the scores (left) into weights (right), which add up to 100%."),
    "walk_values": N_("Each value is multiplied by its weight. Their sum is what the head has found."),
    "walk_adds": N_(
        "What each part adds to the logit of “{next}” directly. What it does through later parts counts as theirs."
    ),
    "adds_up": N_("Together: {sum}, the logit of “{next}” minus the mean of all logits"),
}
