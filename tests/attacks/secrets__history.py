"""Read the history of cells for hidden tests. Only the student's own cells ran."""
# place: last
# flag: no

for cell in [*In, *get_ipython().user_ns.get("_ih", [])]:
    if "exam" + "." in cell and "LEAK" not in cell:
        print("LEAK", cell)
