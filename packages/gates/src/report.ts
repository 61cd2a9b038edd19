/** Ends a gate: names each problem and fails, or says how much was looked at; a gate that looked at nothing fails too. */
export function report(gate: string, checked: number, problems: readonly string[]): void {
  for (const problem of problems) console.error(`${gate}: ${problem}`)
  if (checked === 0) console.error(`${gate}: nothing to check`)
  if (checked === 0 || problems.length > 0) process.exitCode = 1
  else console.log(`${gate}: ${checked} checked`)
}
