# %% [markdown]
# # Notes and their frequencies (about 15 minutes)

# %% given imports
from dataclasses import dataclass

from utils.notes import check

# %% [markdown]
# ## 1. A note
#
# **Write the class `Note`** with one field `steps`, the semitones above A (440 Hz): its property `frequency`, and its
# method `above(semitones)`, which gives another note. Each semitone has the factor $2^{1/12}$.

# %% solution note
@dataclass
class Note:
    steps: int

    ### BEGIN SOLUTION
    @property
    def frequency(self):
        return 440 * 2 ** (self.steps / 12)

    def above(self, semitones):
        return Note(self.steps + semitones)
    ### END SOLUTION

# %% test note 3
check.note(Note)
### BEGIN HIDDEN TESTS
exam.note(Note)
### END HIDDEN TESTS

# %% [markdown]
# ## 2. A chord
#
# **Write `major(note)`**: the frequencies of a major chord, the note with those 4 and 7 semitones above.

# %% solution major
def major(note):
    ### BEGIN SOLUTION
    return [note.above(semitones).frequency for semitones in (0, 4, 7)]
    ### END SOLUTION

# %% test major 2
check.major(major, Note)
### BEGIN HIDDEN TESTS
exam.major(major, Note)
### END HIDDEN TESTS
