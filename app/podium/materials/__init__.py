"""MATERIALS: ground truths, published ids, item files, raw sessions, data files, the launch."""
