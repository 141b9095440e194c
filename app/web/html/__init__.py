"""How pages look: templates, people's markup, numbers as texts, drawings. No routes."""
