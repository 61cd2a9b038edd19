import { spawn } from 'node:child_process'

// Ctrl-C reaches the guardian as well: it must outlive this process.
const script = 'trap "" HUP INT TERM; read -r _ || kill -s KILL "$0"'

/** Has the process killed when this one ends, however it ends, unless the returned function is called before. */
export function guard(pid: number): () => void {
  const guardian = spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] })
  guardian.unref()
  guardian.stdin.on('error', () => {})
  return () => guardian.stdin.end('\n')
}
