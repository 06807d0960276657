"""The words that the marking page's scripts use, and the card in JupyterLab; the templates contain their own."""

from utils.common.messages import N_

WORDS = {
    # the card in JupyterLab's launcher
    "lab_label": N_("Mark essays"),
    "lab_caption": N_("Mark the answers that a person reads, one question of the whole class after the other"),
    # the head of the page
    "marked": N_("{marked} of {all} marked"),
    "copies_only": N_("near-copies"),
    "second_hint": N_("A tenth of the marked answers, without the first marks. What you give here changes no mark."),
    # the panel
    "mark": N_("Mark: {score} of {most}"),
    "figures": N_("The student's own figures"),
    "no_figures": N_("The submission has none."),
    # a card
    "answer": N_("Answer {number}"),
    "empty": N_("(empty)"),
    "near_copy": N_("near-copy"),
    "long": N_("far longer than others"),
    "apart": N_("unlike all others"),
    "elsewhere": N_("marked in formgrader: {score}"),
    "undone_elsewhere": N_("its mark was taken back in formgrader"),
    "changed": N_("The answer has changed since it was marked."),
    "appeal": N_("The student asks: {reason}"),
    "former": N_("The answer that was marked"),
    "hers": N_("for {marker}"),
    "note": N_("Note for markers"),
    "noted": N_("Noted; students do not see it."),
    "taken": N_("in another grader's hands"),
    "not_saved": N_("NOT SAVED"),
    "by": N_("by {by}"),
    "nothing": N_("no item"),
    "cut": N_("Letters in all: {letters}; the rest is in formgrader."),
    # messages
    "saved": N_("Saved: {score}"),
    "saving": N_("Saving: {count} …"),
    "undone": N_("Taken back"),
    "nothing_to_undo": N_("There is nothing to take back."),
    "stale": N_("Someone else has changed this answer meanwhile. It was loaded again; nothing of yours was saved."),
    "failed": N_("NOT SAVED: {why}"),
    "offline": N_("the server does not answer"),
    "all_done": N_("All answers here are marked."),
    "nobody": N_("No answers to show."),
    # the rubric's dialog
    "item_points": N_("Points"),
    "item_text": N_("Text that the student reads"),
    "item_words": N_("Words to highlight, separated by commas"),
    "split": N_("Split"),
    "delete": N_("Delete"),
    "in_use": N_("answers that have it: {count}"),
    "part": N_("(second part)"),
    "moves": N_("Marks that will move: {count}."),
    "no_moves": N_("No mark will move."),
    "total_differs": N_("The items' points add up to {total}, those of the question are {most}."),
    "rubric_changed": N_("The rubric is changed; marks that have moved: {count}."),
    # second marking
    "agreement": N_("Agreement with the second marks (answers: {count})"),
    "agree_item": N_("Item"),
    "agree_both": N_("agree"),
    "agree_first": N_("first only"),
    "agree_second": N_("second only"),
}
