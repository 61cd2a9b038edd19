#!/usr/bin/env bash
# Breaks the sources on purpose, one edit at a time: the property tests must notice each.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_HISTORIES=1000 npx -y --prefer-offline pnpm@12.21.0 run mutants
