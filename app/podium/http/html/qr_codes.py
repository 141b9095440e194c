"""QR codes of addresses, drawn here as SVG: a camera reads them from a screen or a sheet of paper,
and no address is sent to another service."""

from __future__ import annotations

import segno
from markupsafe import Markup

QUIET_ZONE = 4
"""Light modules around the code, as ISO/IEC 18004 requires them."""


def qr_code_of(address: str) -> Markup:
    """Draws the address as a QR code in inline SVG: dark on light in both color schemes, since not
    every camera reads the opposite. Medium error correction, so that a crumpled sheet still
    works."""
    code = segno.make(address, error="m", micro=False)
    drawing = code.svg_inline(border=QUIET_ZONE, light="#fff", omitsize=True, svgclass="qr-code")
    return Markup(drawing)  # noqa: S704 - numbers of modules, nothing of the address
