"""What every stage uses: where things lie, and writing them whole; the errors."""
