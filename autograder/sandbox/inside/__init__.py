"""What student code can see of the grader: this folder is mounted whole into the sandbox, and nothing else."""
