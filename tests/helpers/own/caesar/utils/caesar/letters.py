"""The letters that move."""

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
