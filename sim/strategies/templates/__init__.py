"""Starting points for strategies: `sim new` copies one and puts the new names in."""
