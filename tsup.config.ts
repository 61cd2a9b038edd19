/** The JavaScript build of every package: its entries are what its package.json exports, so the two cannot drift apart. */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

type Manifest = {
  exports?: Record<string, { '@daybook/source'?: string }>
  bin?: Record<string, string>
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const exported = Object.values(manifest.exports ?? {}).flatMap((target) => target['@daybook/source'] ?? [])
const bins = Object.values(manifest.bin ?? {}).map((file) => file.replace('./dist/', './src/').replace(/\.js$/, '.ts'))

export default defineConfig({
  entry: [...new Set([...exported, ...bins])],
  format: 'esm',
  target: 'node22',
  splitting: true,
  sourcemap: true,
  // Declarations come from `tsc -b`, which writes into the same folder.
  dts: false,
  clean: ['!**/*.d.ts', '!**/*.d.ts.map', '!**/*.tsbuildinfo'],
  outDir: 'dist',
})
