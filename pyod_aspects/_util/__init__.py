"""What every room needs and no user asks for: types, threads, progress, files."""
