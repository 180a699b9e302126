"""The table: what is made of statements and rules together."""
