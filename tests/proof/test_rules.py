"""A sample of `python -m benchmarks.proof rules`: published rules of courses against an independent calculation."""

from benchmarks.proof import rules


def test_ten_published_courses_are_written_nine_of_them_without_remainder():
    assert len(rules.COURSES) == len({course.url for course in rules.COURSES}) == 10
    assert sum(not course.remainder for course in rules.COURSES) >= 9


def test_marks_of_a_made_up_term_are_those_of_an_independent_calculation(tmp_path):
    chosen = [course for course in rules.COURSES if course.name.startswith(("UNM", "Missouri", "Colorado"))]
    assert rules.play(tmp_path, 4, tuple(chosen)) == [] and len(chosen) == 3
