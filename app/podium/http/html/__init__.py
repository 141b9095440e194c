"""HTML: templates, rendering, charts, static files. Knows neither requests nor forms."""
