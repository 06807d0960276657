"""Our checks beside the published ones, on the same answers.

- `answers/LESSON/QUESTION.py`: answers written from the lessons' texts alone, before their author read the catalogue of
  mistakes: right ones, single mistakes, and two mistakes at once
- `written.py`: reads them, and makes a student's cell of each
- `truths.toml`, `held_out.py`: what check and exam name in them, and whether that is true
- `checkers/`: the tests that other courses publish for the same functions, written anew
- `board.py`: which answers pass which checks
- `__main__.py`: `python -m benchmarks.published`
"""
