"""The commands of `heed`, one file each."""
