"""The pages of docs on the site: which edition has which page, and where a page's links lead."""

import pytest

from autograder.site import documents
from tests.helpers.languages import TRANSLATED


@pytest.mark.parametrize("language", TRANSLATED)
def test_an_edition_has_each_page_in_its_language_under_the_english_name(language):
    pages = documents.pages(language)
    for path in (documents.ROOT / "docs").glob(f"*.{language}.md"):
        english = f"docs/{path.name.partition('.')[0]}.md"
        name = documents.HOME if english == documents.STUDENTS else english
        title = path.read_text(encoding="utf-8").partition("\n")[0]
        assert pages[name].decode().startswith(f"{title}\n\n") and b"](" not in pages[name].split(b"\n\n")[1]
        assert name == documents.HOME or f"\n{name.removesuffix('.md')}\n" in pages[documents.HOME].decode()


def test_links_lead_to_pages_of_the_same_edition_and_to_english_pages_where_it_has_none():
    french = documents.pages("fr")
    assert "](course.md#retards-délais-dispenses)" in french["docs/instructor.md"].decode()
    assert '<a href="../../docs/administrator.html#jupyterhub">' in french["docs/instructor.md"].decode()
    assert "](docs/troubleshooting.md#étudiants)" in french[documents.HOME].decode()
    english = documents.pages("en")
    assert '<a href="fr/docs/marking.html" lang="fr">en français</a>' in english[documents.HOME].decode()
    assert "](course.md#late-extended-excused)" in english["docs/instructor.md"].decode()


@pytest.mark.parametrize(
    ("name", "here", "there", "same"),
    [
        ("index", "fr", "en", "docs/student"),
        ("index", "fr", "zh", "index"),
        ("docs/student", "en", "fr", "index"),
        ("docs/marking", "en", "zh", "docs/marking"),
        ("docs/marking", "fr", "en", "docs/marking"),
        ("docs/auditor", "en", "fr", "index"),
        ("lessons/gpt", "zh", "fr", "lessons/gpt"),
    ],
)
def test_a_page_leads_to_the_same_page_in_another_language(name, here, there, same):
    assert documents.same_page(name, here, there) == same
