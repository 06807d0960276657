"""Why something handed in is not taken; caught where the rest of the class goes on, and told in one sentence."""

from utils.common.messages import Message


class Refused(Exception):
    """The file is no notebook; `message` says why, and what to do."""

    def __init__(self, template: str, **values: str | int):
        super().__init__(template)
        self.message = Message(template, values)


class Skip(Exception):
    """This one file is not taken; the text says why, and follows `Refused 'name': `."""
