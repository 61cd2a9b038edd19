#!/usr/bin/env bash
# Breaks the sources of storage and runtime on purpose, one edit at a time: the tests must notice each.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_HISTORIES=1000 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run mutants
# A few dozen histories miss a mutant once in a while.
DAYBOOK_HISTORIES=300 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run mutants
