#!/usr/bin/env bash
# 10,000 turns of every kind in one process leave nothing behind in memory, no timer and no file.
set -euo pipefail
cd "$(dirname "$0")/../.."
npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run ten-thousand-turns
