/** Microseconds of CPU that this process has used, in user and system mode, on all its threads. */
export function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
