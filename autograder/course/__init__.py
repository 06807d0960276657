"""What instructors and authors make before anybody hands in: courses, and everything that is generated.

    new                     a course's folder; the command `workbook` and nbgrader's guard in an environment
    build                   notebooks, checks' answers, compiled catalogues from their sources; edits never lost
    outlines                what a lesson asks, in order, for its last cell
    lookalikes              mistakes that a check or exam cannot tell apart need one sentence
    catalogues              every text that students may read -> the translators' catalogues, and how these stand
    faithful                whether a translation keeps its original's formulas, code, links and placeholders
    bundle, carried         what students get: a zip of modules and lessons; lessons that carry their modules
    train_scene_features    the captioning lesson's picture features, made once by the authors

They know nothing of submissions or marks.
"""
