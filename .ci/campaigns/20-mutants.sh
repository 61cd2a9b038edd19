#!/usr/bin/env bash
# Breaks the storage's sources on purpose, one edit at a time: the property tests must notice each. The runtime's mutants
# are left to `pnpm run mutants`: some of them end by never ending, which takes its time.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_HISTORIES=1000 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run mutants
