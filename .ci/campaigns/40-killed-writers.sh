#!/usr/bin/env bash
# Two processes write to one ledger and are killed at random: nothing acknowledged is lost, and every session goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_KILL_ROUNDS=200 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test test/campaign/killed-writers.ts
