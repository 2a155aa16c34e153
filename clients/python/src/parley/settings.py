"""Settings of a client from its environment."""

from __future__ import annotations

import os
from typing import Optional, Tuple


def settings_of(api_key: Optional[str], base_url: Optional[str]) -> Tuple[Optional[str], str]:
    """The key and the address, as given or from PARLEY_API_KEY and PARLEY_BASE_URL. Raises ValueError without an address."""
    url = base_url or os.environ.get("PARLEY_BASE_URL")
    if not url:
        raise ValueError("Give base_url, or set PARLEY_BASE_URL.")
    return api_key or os.environ.get("PARLEY_API_KEY"), url
