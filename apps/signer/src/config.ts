import { fromHex } from '@holdfast/encoding'
import { isApprovalOrigin } from '@holdfast/policy'
import type { Disk } from '@holdfast/ports'
import { readAddressRanges } from '@holdfast/ports/address-ranges'

/** Where a signer keeps its secrets and what opens them. */
export type StorageConfig = {
  dataFolder: string
  identityPath: string
  vaultKey: { kind: 'file'; path: string } | { kind: 'passphrase'; passphrase: string }
}

export const organisationsFolder = (dataFolder: string): string => `${dataFolder}/organisations`

export type Config = StorageConfig & {
  party: number
  name: string
  operator: string
  server: { host: string; port: number; key: Uint8Array }
  /** The sign keys the other signers must have, or null if the genesis document alone names them. */
  peers: Uint8Array[] | null
  /** The organisations that may be pinned. None by default. */
  genesisPins: 'any' | Uint8Array[]
  /** Where the approval page is served, or null if this signer serves none. */
  approval: { host: string; port: number; origin: string; rpId: string; trustedProxies: readonly string[] } | null
}

/** Everything that is wrong with the configuration, a line each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the signer cannot start with this configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

type Env = Record<string, string | undefined>

/** What `init` needs. Throws ConfigError naming every variable that is missing or wrong, and what to do. */
export function readStorageConfig(env: Env): StorageConfig {
  const reader = new EnvReader(env)
  return reader.finish(storageOf(reader))
}

/** What `run` needs. Throws ConfigError naming every variable that is missing or wrong, and what to do. */
export async function readConfig(env: Env, disk: Pick<Disk, 'read'>): Promise<Config> {
  const reader = new EnvReader(env)
  const party = Number(reader.required('SIGNER_PARTY', "give this signer's number, 1, 2 or 3", (text) => /^[123]$/.test(text)))
  const config = {
    ...storageOf(reader),
    party,
    name: reader.optional('SIGNER_NAME', 'give a name of at most 200 bytes', fitsInto(200)) ?? `signer-${party}`,
    operator: reader.required('SIGNER_OPERATOR', 'name who runs this signer, in at most 200 bytes', fitsInto(200)),
    server: {
      host: reader.required('SIGNER_SERVER_HOST', 'give the host name or address of the server'),
      port: Number(reader.required('SIGNER_SERVER_PORT', PORT_ADVICE, isPort)),
      key: readKey(reader.required('SIGNER_SERVER_KEY', "give the server's public key, 64 hexadecimal digits", isKey)),
    },
    peers: await readPeers(reader, disk),
    genesisPins: readPins(reader),
    approval: readApproval(reader),
  }
  return reader.finish(config)
}

function storageOf(reader: EnvReader): StorageConfig {
  const dataFolder = reader.required('SIGNER_DATA', 'give the folder where this signer keeps its state')
  return { dataFolder, identityPath: reader.optional('SIGNER_IDENTITY') ?? `${dataFolder}/identity`, vaultKey: readVaultKey(reader) }
}

function readVaultKey(reader: EnvReader): StorageConfig['vaultKey'] {
  const path = reader.optional('SIGNER_VAULT_KEY_FILE')
  const passphrase = reader.optional('SIGNER_PASSPHRASE', 'give at least 12 characters', (text) => [...text].length >= 12)
  const isOne = (path === undefined) !== (passphrase === undefined)
  if (!isOne) reader.complain('set one of SIGNER_VAULT_KEY_FILE (a file of 32 bytes, which init makes) and SIGNER_PASSPHRASE, not both')
  return path === undefined ? { kind: 'passphrase', passphrase: passphrase ?? '' } : { kind: 'file', path }
}

async function readPeers(reader: EnvReader, disk: Pick<Disk, 'read'>): Promise<Uint8Array[] | null> {
  const given = reader.optional('SIGNER_PEERS')
  if (given === undefined) return null
  const file = isKeyList(given) ? undefined : await disk.read(given)
  const listed = file === undefined ? given : new TextDecoder().decode(file)
  if (!isKeyList(listed)) {
    reader.complain('SIGNER_PEERS must be public keys of 64 hexadecimal digits with commas between, or a file of them')
    return null
  }
  return splitList(listed).map(readKey)
}

function readPins(reader: EnvReader): Config['genesisPins'] {
  const given = reader.optional(
    'SIGNER_GENESIS_PINS',
    'give the fingerprints (64 hexadecimal digits, commas between) of the organisations to serve, or the word any',
    (text) => text === 'any' || isKeyList(text),
  )
  return given === 'any' ? 'any' : splitList(given ?? '').map(readKey)
}

function readApproval(reader: EnvReader): Config['approval'] {
  const names = ['SIGNER_APPROVAL_ORIGIN', 'SIGNER_APPROVAL_PORT', 'SIGNER_APPROVAL_HOST', 'SIGNER_TRUSTED_PROXIES']
  if (names.every((name) => reader.optional(name) === undefined)) return null
  const origin = reader.required(
    'SIGNER_APPROVAL_ORIGIN',
    'give the origin of the approval page, such as https://approve.example.com; http is for localhost only',
    isApprovalOrigin,
  )
  const port = Number(reader.required('SIGNER_APPROVAL_PORT', PORT_ADVICE, isPort))
  // A page on https stands behind a proxy, for this program speaks plain http: without the proxy's word all approvers would be one address.
  const areRanges = (text: string) => readAddressRanges(text) !== undefined
  const proxies = origin.startsWith('https:')
    ? reader.required('SIGNER_TRUSTED_PROXIES', PROXIES_ADVICE, areRanges)
    : reader.optional('SIGNER_TRUSTED_PROXIES', PROXIES_ADVICE, areRanges)
  return {
    host: reader.optional('SIGNER_APPROVAL_HOST') ?? '127.0.0.1',
    port,
    origin,
    rpId: URL.parse(origin)?.hostname ?? '',
    trustedProxies: readAddressRanges(proxies ?? '') ?? [],
  }
}

class EnvReader {
  readonly #env: Env
  readonly #problems: string[] = []

  constructor(env: Env) {
    this.#env = env
  }

  required(name: string, advice: string, check: (text: string) => boolean = () => true): string {
    const value = this.optional(name, advice, check)
    if (value === undefined && !this.#env[name]) this.complain(`${name} is missing: ${advice}`)
    return value ?? ''
  }

  optional(name: string, advice = '', check: (text: string) => boolean = () => true): string | undefined {
    const value = this.#env[name]
    if (value === undefined || value === '') return undefined
    if (check(value)) return value
    this.complain(`${name} is wrong: ${advice}`)
    return undefined
  }

  complain(problem: string): void {
    this.#problems.push(problem)
  }

  finish<T>(value: T): T {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems)
    return value
  }
}

const PROXIES_ADVICE = 'give the addresses or CIDR ranges of the TLS proxies before the approval page, by comma, or none'
const PORT_ADVICE = 'give a port number from 1 to 65535'
const isPort = (text: string) => /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65535
const isKey = (text: string) => /^[0-9a-fA-F]{64}$/.test(text)
const readKey = (text: string) => (isKey(text) ? fromHex(text) : new Uint8Array(32))
const splitList = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')
const isKeyList = (text: string) => splitList(text).length > 0 && splitList(text).every(isKey)
const fitsInto = (maxBytes: number) => (text: string) => new TextEncoder().encode(text).length <= maxBytes && text.normalize('NFC') === text
