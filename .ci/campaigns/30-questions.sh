#!/usr/bin/env bash
# The offline model of the example answers questions about folders that it was not written for, and admits what it cannot answer.
set -euo pipefail
cd "$(dirname "$0")/../.."
npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/example-ask-folder run evaluate
