"""No answer depends on the ground truth, and no bytes of participants are parsed
by the server."""
