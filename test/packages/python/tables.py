"""Prints what `Routes` tell a page of refusals, and the names of browsers and systems."""

import json

from omi.page import BROWSERS, FOR_THE_PAGE, SYSTEMS

print(json.dumps([FOR_THE_PAGE, BROWSERS, SYSTEMS]))
