#!/usr/bin/env bash
# 60 processes create a ledger at the same moment, and then all migrate an old one; eight answer the same requests at once.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_PROCESSES=60 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run test test/open-at-once.test.ts
npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run test test/campaign/answer-at-once.ts
