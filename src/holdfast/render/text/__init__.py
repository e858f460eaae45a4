"""Reports, decisions and looks as text for a terminal."""
