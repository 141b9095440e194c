"""Use cases of materials: ground truths, ids, item and data files, preparation, the launch."""
