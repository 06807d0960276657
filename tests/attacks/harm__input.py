"""Wait for someone to type. Nobody does: an error."""
# flag: no

name = input("Your name? ")
