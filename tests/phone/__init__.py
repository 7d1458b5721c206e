"""What runs on a phone."""
