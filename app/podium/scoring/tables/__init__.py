"""Tables: submissions with an id and any named columns, and the solution that belongs to them."""
