"""From what students hand in, trusted in nothing, to notebooks that can be graded.

    folder      what lies in submitted/STUDENT/LESSON/: notebooks, times, odd names; nothing heavy is imported
    plain       a file's bytes -> a plain notebook of bounded size, or `Refused`
    notebook    a plain notebook -> the lesson's own cells with the student's answers in them; says what it mended
    archives    zip and tar: names, kinds and sizes, looked at before anything is unpacked
    roster      students.csv and extensions.csv: who is who, and who has longer
    whose       from a notebook's place in an archive to the student; platforms' ways of naming
    lms         `nbgrader zip_collect`: platforms' archives -> one notebook per student
    errors      why something is not taken
    exchange    `nbgrader collect`: the exchange's folders -> submitted/, following no link

    lms -> whose -> archives, roster        lms -> plain        exchange -> folder        notebook -> plain, folder

`lms` and `exchange` fill submitted/ and are nbgrader's plugins; `notebook` is what grading calls.
"""
