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
        "With your weights, the lesson's formula gives other numbers than your own network ({name}): they "
        "differ by {d}. So nothing is drawn here. Check your class first."
    ),
    "broken": N_("This page cannot show these networks: the numbers in it are damaged."),
}
