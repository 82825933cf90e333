"""Tools that every room shares and no user calls: types, threads, progress, files."""
