"""Files as they come: opened whatever they are packed in, and refused with the lines at fault."""
