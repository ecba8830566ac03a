import type { ChainCodec } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { type Config, organisationsFolder } from './config.ts'
import type { Identity } from './state/identity.ts'
import { type Organisation, openOrganisation } from './state/organisation.ts'
import { Sessions } from './sessions/sessions.ts'
import type { VaultKeys } from './state/vault-key.ts'

export type SignerPorts = Pick<Ports, 'clock' | 'random' | 'kernelRandom' | 'timer' | 'disk' | 'net'>
export type SignerConfig = Pick<Config, 'party' | 'name' | 'operator' | 'dataFolder' | 'peers' | 'genesisPins' | 'approval'>

export type SignerOptions = {
  ports: SignerPorts
  config: SignerConfig
  identity: Identity
  vaultKeys: VaultKeys
  codecFor(chain: string): ChainCodec | undefined
  /** SHA-256 of the approval page this signer serves. */
  pageHash: Uint8Array | null
}

/** Everything one signer process knows: who it is, the organisations it has pinned, and the sessions under way. */
export class Signer {
  readonly options: SignerOptions
  readonly organisations: Map<string, Organisation>
  readonly sessions: Sessions
  /** Pinning happens one at a time, so that two documents of one organisation cannot pass each other. */
  pinning: Promise<unknown> = Promise.resolve()

  private constructor(options: SignerOptions, organisations: Map<string, Organisation>) {
    this.options = options
    this.organisations = organisations
    this.sessions = new Sessions(options)
  }

  /** Opens every organisation in the data folder. Throws JournalError or VaultError if one of them cannot be trusted. */
  static async open(options: SignerOptions): Promise<Signer> {
    const organisations = new Map<string, Organisation>()
    const signer = new Signer(options, organisations)
    const folders = (await options.ports.disk.list(organisationsFolder(options.config.dataFolder))).filter((name) => /^[0-9a-f]{64}$/.test(name))
    try {
      for (const name of folders) organisations.set(name, await openOrganisation(options.ports, placeOf(options, name)))
      return signer
    } catch (cause) {
      await signer.close()
      throw cause
    }
  }

  organisation(fingerprint: Uint8Array): Organisation | undefined {
    return this.organisations.get(toHex(fingerprint))
  }

  async close(): Promise<void> {
    for (const organisation of this.organisations.values()) await organisation.journal.close()
  }
}

/** Where an organisation of this fingerprint (hexadecimal) is kept, and with what keys. */
export function placeOf(options: SignerOptions, fingerprint: string) {
  return { folder: `${organisationsFolder(options.config.dataFolder)}/${fingerprint}`, keys: options.vaultKeys, party: options.config.party }
}
