"""Generated from openapi/openapi.json by scripts/python-client.mjs. Do not edit."""
