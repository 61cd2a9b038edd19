"""The backend of Fernhill."""
