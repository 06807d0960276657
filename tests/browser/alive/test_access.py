"""Every lesson's explorer, as a page, is opened by axe-core; and so are the panels of failed checks."""

import pytest

from tests.helpers import axe
from tests.helpers.alive import explored_captioner, explored_language_models, explored_translator, four_networks
from tests.helpers.exploring import exploring
from tests.helpers.memories import explored_memories
from utils.attention import explorer as attention

EXPLORED = {
    "attention": lambda: attention.explore(four_networks()),
    "captioning": explored_captioner,
    "gpt": explored_language_models,
    "recall": explored_memories,
    "seq2seq": explored_translator,
}


@pytest.mark.parametrize("lesson", EXPLORED)
def test_an_explorer_in_a_dark_notebook_breaks_no_rule_of_access(browser, lesson):
    """As JupyterLab shows it: in a sandboxed frame, which takes the notebook's theme."""
    page = browser.new_page(viewport=axe.SIZES["wide"])
    shown = EXPLORED[lesson]()._repr_mimebundle_()["text/html"]
    page.set_content(f'<body data-jp-theme-light="false"><div style="width: 903px">{shown}</div>')
    page.frame_locator("iframe").locator(".alive[data-theme=dark][data-ms]").wait_for()
    (frame,) = page.main_frame.child_frames
    assert axe.faults(frame) == []
    page.close()


@pytest.mark.parametrize("lesson", EXPLORED)
def test_an_explorer_breaks_no_rule_of_access(browser, pages, lesson):
    with exploring(browser, pages(lesson, EXPLORED[lesson]().page()), width=axe.SIZES["wide"]["width"]) as page:
        for fold in page.locator("summary").all():
            fold.click()
        assert axe.faults(page) == []
        for stage in page.locator(".stages button").all()[-2:]:  # the stages with bars and with a table
            stage.click()
            assert axe.faults(page) == []
        page.emulate_media(color_scheme="dark")
        assert axe.faults(page) == []
        page.set_viewport_size(axe.SIZES["phone"])
        assert axe.faults(page, contrast=False) == []
