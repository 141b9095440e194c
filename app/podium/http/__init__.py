"""The shared base of all routes and pages: middleware, request bodies, caches, forms and HTML.
Independent of all subjects."""
