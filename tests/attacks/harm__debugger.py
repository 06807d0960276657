"""Stop in the debugger. Nobody types: an error or an end."""
# flag: no

breakpoint()
