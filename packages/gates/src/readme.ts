/** Type-checks every ```ts block of the READMEs against the sources of the workspace, each block as a module of its own. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { report } from './report.ts'
import { workspacePackages } from './workspace.ts'

const root = process.cwd()
// Inside this package, whose manifest names what examples import.
const folder = join(root, 'packages/gates/.readme')

const files = ['README.md', ...workspacePackages(root).map((one) => `${one.folder}/README.md`)]
const examples = files.filter((file) => existsSync(join(root, file))).flatMap(examplesOf)
report('readme', examples.length, examples.length === 0 ? [] : typeErrors())

/** The blocks, each padded with empty lines so that an error names the line of the README. */
function examplesOf(file: string): { name: string; source: string }[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^```(?:ts|typescript)\b.*\n([^]*?)^```$/gm)].map((match, index) => {
    const line = text.slice(0, match.index).split('\n').length
    return { name: `${file.replaceAll('/', '__')}.${index + 1}.ts`, source: '\n'.repeat(line) + match[1] }
  })
}

function typeErrors(): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { name, source } of examples) writeFileSync(join(folder, name), source)
  const config = {
    extends: '../../../tsconfig.test.base.json',
    compilerOptions: { incremental: false, moduleDetection: 'force' },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { error, status, stdout, stderr } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  if (error !== undefined) throw error
  return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n')
}
