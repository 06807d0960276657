"""End with float("nan"), which nbgrader would take for points. Points are computed outside: no mark."""
# place: last
# flag: no

float("nan")
