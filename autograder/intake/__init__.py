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
    columns     the columns of platforms' tables in four languages
    roster      students.csv and extensions.csv: the students' names, extensions and exemptions
    names       people's names as platforms write and shorten them
    groups      who hands in together, by students.csv and the platform's tables
    forms       the forms of names in platforms' archives
    whose       a notebook's place in an archive -> the student, or the group
    worksheet   Moodle's grading worksheet: who has which number, when they handed in
    before      what all names of an archive and the tables beside it tell before the first notebook is read
    extractor   platforms' archives -> the best notebook of each student; every file is accounted for
    remarks     what collecting says at its end on names and times
    lms         `nbgrader zip_collect`: the extracted notebooks -> submitted/
    places      the name that a platform gave each submission, so that feedback finds its way back
    errors      why a file is not taken
    exchange    `nbgrader collect`: the exchange's folders -> submitted/, following no link
    copying     copies the files of a folder that a student wrote, bounded, through no link
    attempts    all hand-ins of a student, copied and numbered; which of them count

    lms -> extractor -> before -> whose -> forms, roster -> names, columns, tables
    extractor -> archives, plain        before -> worksheet, groups, places      exchange -> attempts -> copying, folder
    notebook -> plain, folder, answers, cutting -> pieces -> prose -> known

`lms` and `exchange` fill submitted/ and are nbgrader's plugins; `notebook` is what grading calls.
"""
