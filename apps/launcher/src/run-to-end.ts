import type { Ports } from '@holdfast/ports'

// `node` is the pinned one: the entry puts it first on the path.
/** Runs a program of ours to its end and returns what it printed. Throws with that where it fails. */
export async function runToEnd(
  ports: Ports,
  args: string[],
  options: { cwd: string; logPath: string; what: string; env?: Record<string, string | undefined> },
): Promise<string> {
  await ports.disk.remove(options.logPath)
  const child = ports.process.spawn('node', args, { cwd: options.cwd, logPath: options.logPath, ...(options.env ? { env: options.env } : {}) })
  const code = await child.exited
  const printed = new TextDecoder().decode((await ports.disk.read(options.logPath)) ?? new Uint8Array())
  if (code !== 0) throw new Error(`${options.what} failed:\n${printed.slice(-4000)}`)
  return printed
}
