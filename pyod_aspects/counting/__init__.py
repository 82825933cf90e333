"""How the rows near every row are counted, for a whole level of subspaces."""
