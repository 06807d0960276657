"""What instructors and authors make before anybody hands in: courses, and everything that is generated.

    new                     a course's folder; the command `workbook` and nbgrader's guard in an environment
    build                   notebooks, checks' answers, compiled catalogues from their sources; edits never lost
    catalogues              every text that students may read -> the translators' catalogues
    train_scene_features    the captioning lesson's picture features, made once by the authors

The four know nothing of one another, and nothing of submissions or marks.
"""
