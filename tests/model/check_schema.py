#!/usr/bin/env python3
"""check_schema.py SCHEMA.json FILE.json: exit status 1 and the reasons if the file does not fit the schema."""
import json
import sys

import jsonschema

schema, document = (json.load(open(path)) for path in sys.argv[1:3])
validator = jsonschema.Draft7Validator(schema)
validator.check_schema(schema)
errors = list(validator.iter_errors(document))
for error in errors:
    print("/".join(str(part) for part in error.absolute_path), ":", error.message[:200])
sys.exit(1 if errors else 0)
