"""What nbgrader's gradebook lacks of marks given by hand: the rubric's items, who gave them, and when.

    rubric      a question's rubric in a course: copied from the lesson, then changed by the graders
    marks       a student's mark on a question: items, comment, who and when; the marks before it
    store       the files of one question, below `marking/` in the course, and their lock
    feedback    the items of a marked essay that its student sees
    likeness    the words of answers in any language; near-copies; an order in which neighbours read alike

nbgrader's gradebook has the points and the comment. If a mark here disagrees with the gradebook, the gradebook's points
count, and the answer is shown as "marked elsewhere".
"""
