"""The marking page as graders use it, in a browser, below a hub's base address and with a login by token."""

import json
import shutil
import sqlite3
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from autograder.__main__ import main
from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.course import new
from autograder.gradebook import books, grade
from autograder.lesson.compose import hand_in
from autograder.lesson.text import write_notebook
from autograder.marking import serve
from autograder.marking.question import MarkedQuestion
from tests.autograder.gradebook.test_beside import picture, png
from tests.autograder.marking.test_question import LESSON, NAME, essay
from tests.browser.conftest import jupyter_in
from tests.browser.test_formgrader import foreign
from tests.helpers import axe

HOSTILE = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> [a](javascript:owned())"
    "<style>body{display:none}</style><svg onload=\"document.title='owned'\"></svg> </script></textarea>" + "$" * 500
)
ANSWERS = {
    "ada": ("en", "The field is 17, as each of four layers adds 4 points; the mean minimises the squared error."),
    "bob": ("en", "the field is 17 as each of 4 layers adds 4 points: the MEAN minimises the squared error"),
    "carl": ("en", "I think that deep networks are hard to train, $46$ layers cost too much."),
    "eve": ("en", HOSTILE),
    "fred": ("en", "x" * 2_000_000),
    "zoe": ("fr", "La moyenne, parce que l'erreur quadratique est minimale à l'espérance."),
    "li": ("zh", "感受野是17，输出均值。"),
}
BASE = "/user/ada"
# Milliseconds.
SOON = 15_000
# Whether a click on an element would reach it.
UNCOVERED = """one => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 10)));
}"""


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Path:
    # The course's name decides on the order of answers; in this one they come in the order of ANSWERS.
    course = tmp_path_factory.mktemp("place") / "term-37"
    new.make(course, "dl-26", "en")
    for student, answer in ANSWERS.items():
        handed_in = json.loads(write_notebook(essay(*answer)))
        for cell in handed_in["cells"]:
            if student in ("ada", "bob") and cell["metadata"].get("nbgrader", {}).get("grade_id") == "predict_conv":
                cell["outputs"] = [picture(png(320, 200))]
        hand_in(json.dumps(handed_in), Course(course), student, LESSON.name)
    grade.grade(LESSON.name, course=Course(course))
    return course


@pytest.fixture(scope="module")
def server(course, tmp_path_factory) -> Iterator[str]:
    """The address of a server that has the page by `install`, as an environment has it."""
    prefix = tmp_path_factory.mktemp("environment")
    new.install(prefix)
    packages = sysconfig.get_path("purelib", vars={"base": str(prefix), "platbase": str(prefix)})
    told = {"JUPYTER_CONFIG_PATH": str(prefix / "etc" / "jupyter"), "PYTHONPATH": packages}
    told |= {"JUPYTER_PATH": str(prefix / "share" / "jupyter")}
    options = (f"--ServerApp.base_url={BASE}/", "--IdentityProvider.token=secret")
    with jupyter_in(course, *options, **told) as address:
        yield address + BASE


@pytest.fixture
def fresh(course) -> Iterator[None]:
    """The gradebook and the marks as they were before the test."""
    book = course / "gradebook.db"
    content = book.read_bytes()
    yield
    book.write_bytes(content)
    shutil.rmtree(course / "marking", ignore_errors=True)


@pytest.fixture
def page(browser, server, fresh) -> Iterator[object]:
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    yield opened(context, server)
    context.close()


def opened(context, server: str):
    page = context.new_page()
    page.set_default_timeout(SOON)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(f"{server}/essays/{LESSON.name}/{NAME}?token=secret")
    expect(page.locator("article[aria-current]")).to_be_visible(timeout=SOON)
    return page


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def told(page, text: str) -> None:
    expect(page.locator("#said")).to_contain_text(text, timeout=SOON)


def scores(course: Path) -> dict[str, float | None]:
    found = books.standings(Course(course), LESSON.name)
    return {student: None if NAME in one.waiting else one.scores[NAME] for student, one in found.items()}


def in_hand(page) -> str:
    return page.locator("article[aria-current] .text").inner_text()


def test_a_class_is_marked_by_keys_a_comment_is_used_again_and_points_move(page, course):
    assert "The field is 17" in in_hand(page)
    press(page, "1", "2", "g")  # both copies
    told(page, "Saved: 2")
    assert "46" in in_hand(page)
    press(page, "3", "c")
    page.keyboard.type("Say why, 请说明。")
    press(page, "Enter")
    press(page, "c")
    page.keyboard.type("say")
    expect(page.locator("#offered").get_by_role("option")).to_have_text(["Say why, 请说明。"])
    press(page, "ArrowDown", "Enter", "Enter")
    press(page, "a", "Enter", "0", "+", "Enter", "Enter")
    told(page, "All answers here are marked")
    expect(page.locator("#count")).to_have_text("7 of 7 marked")
    found = scores(course)
    assert (
        found["ada"] == found["bob"] == 2 and found["carl"] == 1 and sorted(found.values()) == [0, 0, 0.5, 1, 2, 2, 3]
    )
    press(page, "r")
    number = page.locator("#editor").get_by_label("Points").first
    number.fill("0.5")
    number.press("Enter")
    expect(page.locator("#effect")).to_contain_text("Marks that will change: 3. The items' points add up to 2.5")
    assert scores(course) == found
    number.press("Enter")
    told(page, "marks that have changed: 3")
    assert scores(course)["ada"] == 1.5
    press(page, "u")
    told(page, "Undone")
    assert scores(course) == found
    for _ in range(6):
        press(page, "u")
    expect(page.locator("#count")).to_have_text("0 of 7 marked")
    assert set(scores(course).values()) == {None} and page.errors == []


def test_an_item_is_split_and_both_parts_belong_to_the_marks_that_had_it(page, course):
    press(page, "2", "Enter")
    told(page, "Saved: 1")
    press(page, "r")
    page.get_by_role("button", name="Split").nth(1).click()
    expect(page.locator("#effect")).to_contain_text("No mark will change.")
    page.get_by_role("button", name="Apply").click()
    told(page, "The rubric is changed")
    expect(page.locator("article .items").first).to_have_text("2 3")
    assert sorted(scores(course).values(), key=str)[0] == 1


def test_two_windows_do_not_overwrite_each_other(page, browser, server, course):
    other = opened(page.context, server)
    assert in_hand(other) != in_hand(page)  # an answer is with one window at a time
    first = page.locator("article[aria-current]").get_attribute("id")
    other.locator(f"#{first}").click()
    press(other, "1", "Enter")
    told(other, "Saved: 1")
    press(page, "a", "Enter")
    told(page, "Someone else has changed this answer meanwhile")
    assert sorted(scores(course).values(), key=str)[:2] == [1, None]
    expect(page.locator(f"#{first} .score")).to_have_text("1 / 3")


def test_a_locked_gradebook_loses_nothing_and_the_next_save_works(page, course):
    holder = sqlite3.connect(course / "gradebook.db")
    holder.execute("begin exclusive")
    press(page, "2", "c")
    page.keyboard.type("kept")
    press(page, "Enter")
    told(page, "NOT SAVED: The course's folder or its gradebook cannot be used (database is locked)")
    holder.rollback()
    holder.close()
    expect(page.locator("article .warning", has_text="NOT SAVED")).to_have_count(1)
    assert set(scores(course).values()) == {None}
    page.locator("article", has_text="NOT SAVED").click()
    expect(page.get_by_label("Comment")).to_have_value("kept")
    press(page, "Enter")
    told(page, "Saved: 1")
    assert 1 in scores(course).values()


def test_hostile_answers_do_nothing(page, server):
    asked = foreign(page, f"{server}/essays")
    classes = []
    page.on("request", lambda request: classes.append(request.url) if request.url.endswith("/class") else None)
    page.reload()
    expect(page.locator("article")).to_have_count(len(ANSWERS))
    assert len(classes) == 1  # with the page, and not once more by its script
    assert "owned" not in page.title() and page.locator("article script, article style, article svg").count() == 0
    assert page.locator("article").evaluate_all("all => Math.max(...all.map(one => one.textContent.length))") < 10_000
    expect(page.get_by_text("Characters in all: 200000; the rest is in formgrader")).to_be_visible()
    assert [one for one in asked if not one.startswith(server)] == [] and page.errors == []
    answer = page.request.get(f"{server}/essays/{LESSON.name}?token=secret")
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_keys_alone_and_a_screen_reader_find_everything(page, course):
    found = page.locator("main").aria_snapshot()
    for role in ('checkbox "1 +1 17, with a reason."', 'combobox "Comment', 'button "Save, next', "article:"):
        assert role in found, role
    assert page.get_by_role("status").first.get_attribute("aria-live") == "polite"
    page.get_by_role("checkbox", name="17, with a reason").focus()
    press(page, "Space")
    assert page.get_by_text("Mark: 1 of 3").is_visible()
    page.get_by_role("button", name="Save, next").focus()
    press(page, "Enter")
    told(page, "Saved: 1")
    press(page, "Escape", "?")
    page.get_by_role("checkbox", name="Turn single keys off").check()
    page.get_by_role("button", name="Close").click()
    press(page, "1")
    assert page.get_by_text("Mark: 0 of 3").is_visible()


def test_an_input_method_has_the_keys_while_it_composes(page, course):
    press(page, "c")
    page.locator("#comment").evaluate(
        "box => box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true}))"
    )
    page.wait_for_timeout(300)
    assert set(scores(course).values()) == {None}
    assert page.locator("#comment").evaluate("box => box === document.activeElement")


def test_a_narrow_dark_window_has_room_for_all(browser, server, fresh):
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark")
    page = opened(context, server)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 25, 28)"
    in_sight(page)
    page.get_by_role("button", name="Change the rubric").click()
    assert page.locator("#add").evaluate(UNCOVERED) and page.locator("#apply").evaluate(UNCOVERED)
    context.close()


def in_sight(page) -> None:
    """Assert that nothing covers question, model answer, rubric and answer in hand, after moves through the class."""
    page.wait_for_timeout(100)  # heights are told to the style
    for _ in range(3):
        press(page, "j")
        about = ("#about details:first-child .text p", "#about details:nth-child(2) .text p")
        for shown in (*about, "article[aria-current] h2", "#items label", "#save"):
            assert page.locator(shown).first.evaluate(UNCOVERED), (shown, page.viewport_size)


def test_question_model_answer_and_rubric_stay_in_sight(page):
    for width, height in ((860, 860), (1280, 860), (1280, 500)):
        page.set_viewport_size({"width": width, "height": height})
        in_sight(page)


def test_near_copies_stand_side_by_side_where_there_is_room(page):
    copies = page.get_by_role("group", name="near-copies").get_by_role("article")
    one, other = (copy.bounding_box() for copy in copies.all())
    assert one["y"] == other["y"] and one["x"] + one["width"] <= other["x"]
    assert highlighted(page, "differs") == ["four"]  # stands in the first of the two
    page.set_viewport_size({"width": 860, "height": 860})
    one, other = (copy.bounding_box() for copy in copies.all())
    assert one["x"] == other["x"] and one["y"] + one["height"] <= other["y"]


def highlighted(page, name: str) -> list[str]:
    return page.evaluate("name => [...(CSS.highlights.get(name) ?? [])].map(String)", name)


def test_words_of_items_are_highlighted_in_each_language(page):
    found = {}
    for text in ("squared error", "quadratique", "感受野"):
        page.locator("article", has_text=text).first.click()
        found[text] = [highlighted(page, f"item-{place}") for place in (1, 2, 3)]
    assert found == {
        "squared error": [["17"], ["mean", "squared"], []],
        "quadratique": [[], ["moyenne", "espérance", "quadratique"], []],
        "感受野": [["17", "感受野"], ["均值"], []],
    }


def test_an_item_is_added_another_deleted_and_their_uses_are_told_at_once(page, course):
    press(page, "1", "2", "Enter")
    told(page, "Saved: 2")
    press(page, "r")
    expect(page.locator("#editor legend").first).to_contain_text("answers that have it: 1")
    page.get_by_role("button", name="Add an item").click()
    page.keyboard.type("a drawing")  # the new item's text has the focus
    page.get_by_role("button", name="Delete").first.click()
    expect(page.locator("#effect")).to_contain_text("Marks that will change: 1.")
    page.get_by_role("button", name="Apply").click()
    told(page, "marks that have changed: 1")
    expect(page.locator("#items label")).to_have_count(3)
    expect(page.locator("#items label span").last).to_have_text("a drawing")
    assert sorted(scores(course).values(), key=str)[0] == 1
    press(page, "u")
    told(page, "Undone")
    assert sorted(scores(course).values(), key=str)[0] == 2


def test_names_are_shown_when_they_are_wanted_and_never_else(page):
    assert "carl" not in page.locator("body").inner_text()
    press(page, "n")
    expect(page.locator("article", has_text="· carl")).to_have_count(1)
    press(page, "n")
    expect(page.locator("article", has_text="· carl")).to_have_count(0)


def test_an_item_that_is_worded_anew_keeps_its_marks(page, course):
    press(page, "2", "Enter")
    told(page, "Saved: 1")
    press(page, "r")
    page.locator("#editor fieldset").nth(1).get_by_label("(English)").first.fill("why it is the mean")
    press(page, "Tab")
    expect(page.locator("#effect")).to_contain_text("No mark will change.")
    page.get_by_role("button", name="Apply").click()
    told(page, "The rubric is changed")
    expect(page.locator("#items label span").nth(1)).to_have_text("why it is the mean")
    assert sorted(scores(course).values(), key=str)[0] == 1


def test_the_page_speaks_the_courses_language_and_formgrader_leads_to_it(page, server, course, monkeypatch):
    page.goto(f"{server}/formgrader/gradebook/{LESSON.name}")
    page.get_by_role("link", name="question by question").click()
    expect(page.locator("article[aria-current]")).to_be_visible()
    config = course / "nbgrader_config.py"
    text = config.read_text()
    config.write_text(text + '\nc.Translate.language = "fr"\n')
    assert page.request.get(f"{server}/essays/api/lab").json()["label"] == "Noter les rédactions"
    page.goto(f"{server}/essays/{LESSON.name}/{NAME}")
    expect(page.get_by_role("button", name="Enregistrer, suivante")).to_be_visible()
    expect(page.get_by_text("Chaque convolution de noyau 5 ajoute 4 points")).to_be_visible()
    expect(page.get_by_role("checkbox", name="17, avec une raison")).to_be_visible()
    config.write_text(text)


def test_the_students_own_figures_stand_below_the_answer_in_hand(page):
    figures = page.locator("article[aria-current] .figures")
    picture = figures.get_by_role("img", name="The student's own figures")
    expect(picture).to_be_visible()
    assert picture.evaluate("one => [one.naturalWidth, one.naturalHeight]") == [320, 200]
    page.locator("article", has_text="46").first.click()  # another student, who has none
    expect(figures).to_contain_text("The submission has none.")


def test_jupyterlab_leads_to_the_list_of_essays_and_from_there_to_a_question(page, server):
    page.goto(f"{server}/lab")
    with page.context.expect_page() as opening:
        page.locator(".jp-LauncherCard", has_text="Mark essays").click(timeout=4 * SOON)
    listed = opening.value
    assert listed.url.startswith(f"{server}/essays")
    asked = listed.get_by_role("listitem").filter(has=listed.locator(f"a[href$='/{NAME}']"))
    expect(asked).to_contain_text(f"To mark: {len(ANSWERS)}; marked: 0")
    assert listed.get_by_role("listitem").count() == len(LESSON.essays)
    asked.get_by_role("link").click()
    expect(listed.locator("article[aria-current]")).to_be_visible(timeout=SOON)


def test_a_course_without_marks_says_what_to_do(browser, server, course, page):
    (course / "gradebook.db").rename(course / "away.db")
    page.goto(f"{server}/essays/{LESSON.name}")
    expect(page.get_by_text("to restore it, type: workbook restore")).to_be_visible()
    (course / "away.db").rename(course / "gradebook.db")
    for wrong in ("nonsense", f"{LESSON.name}/nonsense"):
        assert page.goto(f"{server}/essays/{wrong}").status == 404
    assert (
        MarkedQuestion(Course(course), f"sqlite:///{course}/gradebook.db", LESSON, NAME).cards()[1].keys()
        == ANSWERS.keys()
    )


def test_the_command_opens_the_page_in_the_course(course, monkeypatch):
    became: list = []
    monkeypatch.chdir(course)
    monkeypatch.setattr(serve, "find_spec", lambda name: name)
    monkeypatch.setattr(serve.os, "execv", lambda *command: became.append((Path.cwd(), *command)))
    main(["mark", LESSON.name, "--course", str(course), "--no-browser"], standalone_mode=False)
    ((folder, program, command),) = became
    assert folder == course and program == command[0]
    assert command[1:4] == ["-m", "jupyter", "server"] and f"--ServerApp.default_url=/essays/{LESSON.name}" in command
    assert "--ServerApp.open_browser=False" in command
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    with pytest.raises(GradingError, match="type: python -m autograder install"):
        serve.serve(Course(course), LESSON.name, browser=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", axe.SIZES)
def test_the_page_breaks_no_rule_of_access(browser, server, fresh, scheme, size):
    context = browser.new_context(viewport=axe.SIZES[size], color_scheme=scheme)
    page, contrast = opened(context, server), size == "wide"  # colours are the same at each width
    assert axe.faults(page, contrast=contrast) == []
    page.get_by_role("button", name="Change the rubric").click()
    assert axe.faults(page, contrast=contrast) == []
    context.close()
