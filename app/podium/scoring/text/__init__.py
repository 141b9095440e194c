"""Text of unknown bytes, as every strict reader takes it: blocks, header, fields, findings."""
