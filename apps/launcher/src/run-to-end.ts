import type { Ports } from '@holdfast/ports'
import { compiledSources, quickImports } from './program-start.ts'

// `node` is the pinned one: the entry puts it first on the path.
/** Runs a program of ours, in the checkout `cwd`, to its end and returns what it printed. Throws with that where it fails. */
export async function runToEnd(
  ports: Ports,
  args: string[],
  options: { cwd: string; logPath: string; what: string; env?: Record<string, string | undefined> },
): Promise<string> {
  const { cwd, logPath, env } = options
  await ports.disk.remove(logPath)
  const child = ports.process.spawn('node', [quickImports(cwd), ...args], { cwd, logPath, env: { ...compiledSources(cwd), ...env } })
  const code = await child.exited
  const printed = new TextDecoder().decode((await ports.disk.read(logPath)) ?? new Uint8Array())
  if (code !== 0) throw new Error(`${options.what} failed:\n${printed.slice(-4000)}`)
  return printed
}
