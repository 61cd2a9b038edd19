#!/usr/bin/env bash
# A write-ahead log that is cut, flipped or torn anywhere: an error, or exactly what was committed before that place.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_CRASH_IMAGES=400 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run test test/crash-images.test.ts
