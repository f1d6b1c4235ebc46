"""Preview pictures of links (Open Graph)."""
