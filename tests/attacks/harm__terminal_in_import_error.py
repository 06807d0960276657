"""Give orders to the terminal in the text of an ImportError, which is told to the instructor. Only what prints is."""

order = "\x1b]0;pwned\x07\x1b[2J\x1b[31mALL 30 OF 30"
raise ImportError(order, name=order)
