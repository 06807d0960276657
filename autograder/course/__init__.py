"""What instructors and authors make before anybody hands in: everything that is generated.

    build                   notebooks, checks' answers, compiled catalogues from their sources; edits never lost
    catalogues              every text that students may read -> the translators' catalogues
    train_scene_features    the captioning lesson's picture features, made once by the authors

The three know nothing of one another, and nothing of submissions or marks.
"""
