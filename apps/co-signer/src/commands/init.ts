import { dirname, join, resolve } from 'node:path'
import { toHex } from '@holdfast/encoding'
import { ConfigError } from '../read-config.ts'
import { createKey } from '../state/sealed-key.ts'
import { type Given, UsageError } from './given.ts'

/** What lets nothing through: whoever runs the co-signer writes into it what it should. */
const NO_LIMITS = { networks: [], assets: [], destinations: { allow: [], deny: [] }, contracts: [], stake: [], hours: null }

/** Makes a sealed key, a configuration and limits that let nothing through, and prints the public key for the policy. What is there is left alone. */
export async function init({ ports, configPath, values, password }: Given): Promise<number> {
  const { disk, process } = ports
  const server = /^(.+):(\d{1,5})$/.exec(values['server'] ?? '')
  const config = {
    organisation: hex(values, 'organisation', "the organisation's fingerprint"),
    machine: given(values, 'machine', 'the id that this machine has in the policy'),
    server: { host: server?.[1]?.replace(/^\[(.*)\]$/, '$1') ?? '', port: Number(server?.[2]), key: hex(values, 'server-key', "the server's public key") },
    proxy: null,
    files: { key: 'key', journal: 'journal', witness: 'journal.witness', limits: 'limits.json' },
    callback: null,
    figures: null,
  }
  if (!server) throw new UsageError('Say --server <host:port>: where the server takes co-signers in.')
  const folder = dirname(resolve(configPath))
  const [keyPath, limitsPath] = [join(folder, config.files.key), join(folder, config.files.limits)]
  if (await disk.stat(configPath)) throw new ConfigError(`${configPath}: there is a configuration already. Name another folder for another co-signer`)
  await disk.makeFolder(folder)
  const { publicKey } = await createKey(ports, keyPath, await password())
  const write = (path: string, content: unknown) => disk.writeAtomic(path, new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`), 0o600)
  if (!(await disk.stat(limitsPath))) await write(limitsPath, NO_LIMITS)
  await write(configPath, config)
  process.printError(`Made ${configPath}, ${keyPath} and ${limitsPath}. The limits let nothing through yet, and no callback is configured.`)
  process.printError('The public key, to be named in the policy as a co-signer:')
  process.print(toHex(publicKey))
  return 0
}

function given(values: Given['values'], name: string, what: string): string {
  const value = values[name]
  if (!value) throw new UsageError(`Say --${name}: ${what}.`)
  return value
}

function hex(values: Given['values'], name: string, what: string): string {
  const value = given(values, name, what).toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(value)) throw new UsageError(`Say --${name} as 64 hexadecimal digits: ${what}.`)
  return value
}
