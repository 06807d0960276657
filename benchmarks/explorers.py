"""Measures the explorers' pages: their size, the time to the first picture, the time of a move, and their precision.

    python -m benchmarks.explorers > benchmarks/explorers.md

Opens each lesson's page in Chromium, with the networks of the run that `make site` keeps. A move is one step of a
pointer that drags a shape or a thing; in `seq2seq` and `gpt`, one typed letter. Reported are the processor time of the
page's main thread until the picture is drawn, and the time by the clock. The models of `gpt` go on writing their texts
over many pictures: the time until both texts are whole is reported below the table. Precision is that of `captioning`:
its model is trained as in the lesson, its weights are rounded in several ways, the page draws unseen scenes, and the
grammar judges the page's captions.
"""

import copy
import json
import platform
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from autograder.site import outputs
from autograder.site.explorers import framed
from benchmarks.captioning_training import lesson_names, quietly
from utils.alive.page import modules, page
from utils.alive.weights import BLOCK
from utils.captioning.exporting import LONGEST, exported
from utils.captioning.scenes.dataset import scene_grids, scene_of
from utils.captioning.scenes.scene import drawn

CHROMIUM = "/usr/bin/chromium"
OPENED = 7  # how often a page is opened
MOVES = 60
# By lesson: the element that is dragged (the first that matches), or the field and the text that is typed into it.
DRAGGED = {"attention": ".shape circle", "captioning": ".thing"}
TYPED = {
    "seq2seq": (".french input", "elle porte une robe rouge . "),
    "gpt": (".beginning input", "Nelako met Sirute. Dopima saw Nelako by the river. "),
}
SCENES = 100  # unseen ones
BITS = (12, 10, 9, 8)
# Resolves with the milliseconds from now until the next picture has been painted.
PAINTED = """() => new Promise((done) => { const from = performance.now();
    requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now() - from); port2.postMessage(0); }); })"""
# Resolves with the milliseconds from now until all models have finished writing.
WHOLE = """() => new Promise((done) => { const from = performance.now(), alive = document.querySelector(".alive");
    const look = () => (alive.dataset.writing ? requestAnimationFrame(look) : done(performance.now() - from));
    look(); })"""
FIRST = "() => performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint')?.startTime"


def pages() -> dict[str, str]:
    """Return the page of each lesson's explorer, by lesson: today's scripts with the networks of the kept run."""
    by_lesson = {}
    for lesson in (*DRAGGED, *TYPED):
        kept = outputs.kept(Lesson.load(lesson, WORKBOOK), "en").get("explore", [])
        for output in kept:
            if kept_page := framed(output.get("data", {}).get("text/html", "")):
                message = kept_page.split("const message = ")[1].split(";\ntry {")[0]
                by_lesson[lesson] = page(lesson, json.loads(message))
    return by_lesson


def busy(session: CDPSession) -> float:
    """Return the milliseconds of processor time that the page's main thread has taken so far."""
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return float(1000 * metrics["TaskDuration"])


def moves(page: Page, lesson: str) -> Iterator[None]:
    """Make one move after the other; yield after each."""
    if lesson in TYPED:
        selector, text = TYPED[lesson]
        field = page.locator(selector)
        field.fill("")
        for letter in (text * MOVES)[:MOVES]:
            field.press_sequentially(letter)
            yield
        return
    box = page.locator(DRAGGED[lesson]).first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, MOVES + 1):
        page.mouse.move(x + 2 * min(step, MOVES - step), y - min(step, MOVES - step))
        yield
    page.mouse.up()


def measured(browser: Browser, lesson: str, address: str) -> tuple[list[float], ...]:
    """Return six lists of milliseconds.

    Two of the page's opening until its first picture, by the clock and of the main thread; two of the moves until the
    next picture, of the main thread and by the clock; two of the moves until all models have finished writing.
    """
    first, started = [], []
    for _ in range(OPENED):
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(address)
        page.wait_for_selector(".alive[data-ms]")
        page.wait_for_function(FIRST)
        first.append(page.evaluate(FIRST))
        started.append(busy(session))
        if len(first) < OPENED:
            page.close()
    taken, wall, taken_whole, wall_whole = [], [], [], []
    page.wait_for_timeout(1000)
    page.evaluate(WHOLE)
    before = busy(session)
    for _ in moves(page, lesson):
        wall.append(page.evaluate(PAINTED))
        taken.append(busy(session) - before)
        wall_whole.append(wall[-1] + page.evaluate(WHOLE))
        now = busy(session)
        taken_whole.append(now - before)
        before = now
    page.close()
    return first, started, taken, wall, taken_whole, wall_whole


def median_and_least(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} ({min(times):.0f})"


def in_browser() -> None:
    """Print a row for each lesson's page."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        print(f"`python -m benchmarks.explorers`, {platform.machine()}, Chromium {browser.version}. Median (least).\n")
        print("| lesson | page, MB | first picture, ms: main thread | by the clock | a move, ms | by the clock |")
        print("| --- | --- | --- | --- | --- | --- |")
        for lesson, text in pages().items():
            path = Path(folder, f"{lesson}.html")
            path.write_text(text, encoding="utf-8")
            times = measured(browser, lesson, path.as_uri())
            first, started, taken, wall, *whole = map(median_and_least, times)
            print(
                f"| `{lesson}` | {path.stat().st_size / 1e6:.2f} | {started} | {first} | {taken} | {wall} |", flush=True
            )
            if lesson == "gpt":
                written = "Until both models of `gpt` have written anew: {} ms of the main thread, {} ms by the clock."
                print(f"\n{written.format(*whole)}", flush=True)
        browser.close()


def rounded(weights: torch.Tensor, bits: int) -> torch.Tensor:
    """Return weights as float16 (bits 16), or as integers of so many bits in blocks that share a scale."""
    if bits == 16:
        return weights.half().float()
    row = weights.flatten().double()
    blocks = torch.nn.functional.pad(row, (0, -len(row) % BLOCK)).view(-1, BLOCK)
    scale = blocks.abs().amax(1, keepdim=True).clamp_min(1e-9) / (2 ** (bits - 1) - 1)
    integers: torch.Tensor = (blocks / scale).round()
    return (integers * scale).flatten()[: len(row)].view_as(weights).float()


@torch.no_grad()
def precision(model: Any, features: torch.Tensor, start: int) -> None:
    """Print how each way of rounding the weights changes the scores and captions of scenes (N, 16, 72)."""
    captions = torch.as_tensor(model.sample(features, max_length=LONGEST))
    words = torch.cat([torch.full((len(captions), 1), start), captions[:, :-1]], 1)
    written = words.ne(0)  # without the <NULL> that fills a row after <END>
    expected = model(features, words)
    size = sum(weights.numel() for weights in model.parameters())
    print(
        "| a weight | weights in the page, MB | largest difference, share of the largest score | captions unchanged |"
    )
    print("| --- | --- | --- | --- |")
    for bits in (16, *BITS):
        other = copy.deepcopy(model)
        for weights in other.parameters():
            weights.copy_(rounded(weights, bits))
        difference = (other(features, words) - expected).abs()[written].max() / expected.abs().max()
        same = torch.as_tensor(other.sample(features, max_length=LONGEST)).eq(captions).all(1).sum().item()
        bits_each = bits if bits == 16 else bits + 16 / BLOCK  # with a weight's share of its block's scale
        name = "float16" if bits == 16 else f"{bits} bits, in blocks of {BLOCK}"
        # Base64 writes six bits as a byte.
        print(f"| {name} | {size * bits_each / 6e6:.2f} | {difference:.4f} | {same} of {len(captions)} |", flush=True)


# Calls the page's functions on scenes, without opening the page: the picture, its features, the caption, the judgement.
DESCRIBE = """(given) => { %s
    const model = module_captioning_writer.load(given.model), eyes = module_captioning_features.loadEyes(given.eyes);
    return given.scenes.map((scene) => {
        const features = module_captioning_features.grid(eyes, module_captioning_scene.picture(scene));
        const words = module_captioning_writer.write(model, features).words.filter((word) => word !== model.end);
        return module_captioning_scene.judge(words.map((word) => given.idx_to_word[word]).join(" "), scene);
    });
}"""


def described(message: dict[str, Any], urls: list[str]) -> float:
    """Return the share of true captions among those that the page writes of scenes that it draws itself."""
    scenes = []
    for url in urls:
        scene = scene_of(url)
        things = zip(scene.things, drawn(scene)[1], strict=True)
        scenes.append(
            {"background": scene.background, "things": [vars(thing) | {"x": at.x, "y": at.y} for thing, at in things]}
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        verdicts = browser.new_page().evaluate(
            DESCRIBE % modules("captioning/explorer.js"), message | {"scenes": scenes}
        )
        browser.close()
    return float(verdicts.count("true") / len(verdicts))


def main() -> None:
    torch.set_num_threads(1)
    print("# Explorers in the browser\n")
    in_browser()
    names = lesson_names()
    (cell,) = (cell for cell in Lesson.load("captioning", WORKBOOK).of_role("show") if cell.name == "train_on_grid")
    data = names["grids"] = names["scenes"] | scene_grids()
    training = next(line for line in cell.code.splitlines() if line.startswith("grid_model, "))
    quietly(reference.run_cell, training, cell.name, names)
    model, words, index = names["grid_model"], data["idx_to_word"], data["word_to_idx"]
    print(f"\n## Weights of `captioning` rounded, {SCENES} unseen scenes\n")
    precision(model.eval(), torch.from_numpy(data["val_features"][:SCENES]), index["<START>"])
    message = exported(model, data["val_urls"], words, index, heads=4)
    share = described(message, list(data["val_urls"]))
    print(
        f"\nOf {len(data['val_urls'])} unseen scenes, drawn by the page itself, {share:.1%} get a true caption there."
    )


if __name__ == "__main__":
    main()
