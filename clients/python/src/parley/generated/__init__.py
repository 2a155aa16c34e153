"""Generated from openapi/openapi.json by scripts/python-client.ts. Do not edit."""
