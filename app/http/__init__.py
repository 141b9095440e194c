"""What all routes and pages share: middleware, bodies, caches, forms and HTML. Knows no subject."""
