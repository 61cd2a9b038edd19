#!/usr/bin/env bash
# What a page reads of deep chains of branches and of many branches of one session, and what many turns leave behind.
set -euo pipefail
cd "$(dirname "$0")/../.."
npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test test/campaign/deep-branches.ts test/campaign/many-turns.ts
