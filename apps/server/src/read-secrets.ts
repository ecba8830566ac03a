import { known } from '@holdfast/units'
import { fromHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { ConfigurationError } from './read-configuration.ts'

/** The one secret of a file. Throws ConfigurationError. */
export async function readSecret(ports: Pick<Ports, 'disk'>, variable: string, path: string): Promise<Uint8Array> {
  const [secret, ...more] = await readSecrets(ports, variable, path)
  if (more.length > 0) throw new ConfigurationError(`${variable}: ${path} must hold one secret and holds ${more.length + 1}`)
  return known(secret, variable)
}

/** The secrets of a file, one a line, the one in use first. Throws ConfigurationError. */
export async function readSecrets(ports: Pick<Ports, 'disk'>, variable: string, path: string): Promise<Uint8Array[]> {
  const content = await ports.disk.read(path)
  const lines = content
    ? new TextDecoder()
        .decode(content)
        .trim()
        .split(/\s*\n\s*/)
    : []
  if (lines.length === 0 || !lines.every((line) => /^[0-9a-f]{64}$/.test(line)))
    throw new ConfigurationError(`${variable}: ${path} must hold 32 secret bytes as 64 hexadecimal digits. If it was damaged, put back a copy of it`)
  return lines.map(fromHex)
}
