"""The house keeps its own rules: files, words, errors, docs."""
