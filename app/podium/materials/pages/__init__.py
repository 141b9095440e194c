"""Pages of materials, put together from their modules."""

from podium.http.routing import combined
from podium.materials.pages import data_files, ground_truth, organizing, uploads, wizard

router = combined(organizing, data_files, ground_truth, uploads, wizard)
