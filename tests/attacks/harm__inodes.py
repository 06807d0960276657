"""Use up the file system's files. The scratch folder has only so many."""

for number in range(10**6):
    open(f"/scratch/{number}", "w").close()
