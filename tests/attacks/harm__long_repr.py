"""End with a value whose repr has a billion letters. It is stopped or cut."""
# flag: no

class Long:
    def __repr__(self):
        return "x" * 10**9


Long()
