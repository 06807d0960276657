"""Turns what students hand in, none of it trusted, into notebooks that can be graded.

    folder      the files in submitted/STUDENT/LESSON/: notebooks, times, odd names; imports nothing heavy
    plain       a file's bytes -> a plain notebook of bounded size, or `Refused`
    notebook    a plain notebook -> the lesson's own cells with the student's answers in them, and what was mended
    cutting     a plain notebook -> pieces, each a cell of the release, a part of one, or the student's own
    pieces      a piece; which pieces are the release's code, by their lines
    known       the release's cells and code, to compare with
    prose       the release's prose in a language, to compare with
    answers     pieces -> the code of each gap, the text of each essay
    notes       the sentences on what was mended
    archives    zip and tar: checks names, kinds and sizes before anything is unpacked
    tables      tables as spreadsheets write them
    roster      students.csv and extensions.csv: the students' names, extensions and exemptions
    whose       a notebook's place in an archive -> the student, by each platform's form of names
    worksheet   Moodle's grading worksheet: when students handed in
    lms         `nbgrader zip_collect`: platforms' archives -> one notebook per student
    places      the name that a platform gave each submission, so that feedback finds its way back
    errors      why a file is not taken
    exchange    `nbgrader collect`: the exchange's folders -> submitted/, following no link

    lms -> whose -> roster        lms -> archives, worksheet, plain        exchange -> folder
    notebook -> plain, folder, answers, cutting -> pieces -> prose -> known

`lms` and `exchange` fill submitted/ and are nbgrader's plugins; `notebook` is what grading calls.
"""
