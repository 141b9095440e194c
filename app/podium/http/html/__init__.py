"""HTML: templates, rendering, charts, static files. Independent of requests and forms."""
