import { toHex } from '@holdfast/encoding'
import { type AskServer, createApprovalApi } from '../page/approval-api.ts'
import { createCalls, type SignerCalls } from '../calls/calls.ts'
import type { Identity } from '../state/identity.ts'
import type { Journal } from '../state/journal.ts'
import type { JournalEvent } from '../state/journal-events.ts'
import { Organisation } from '../state/organisation.ts'
import { applyEvent, Register } from '../state/register.ts'
import type { Signer } from '../signer.ts'
import type { Vault } from '../state/vault.ts'

const MARK = 2 ** 20
/** What follows from a document that is pinned: the same for all that pin it. */
const pinned = new WeakMap<Uint8Array, Register>()

type Written = { events: readonly JournalEvent[]; atMs: number; mark: number }

/** A journal without a disk: the register that follows from its records, which can be put back to any of them. */
class MemoryJournal {
  register = new Register()
  #records: Written[] = []
  readonly #party: number
  readonly #nowMs: () => number
  /** Stands for what the seal of a record says: another history has other seals. */
  static #seals = 0

  constructor(party: number, nowMs: () => number) {
    this.#party = party
    this.#nowMs = nowMs
  }

  get position(): number {
    return this.#records.length
  }

  markAt(position: number): number | undefined {
    return this.#records[position - 1]?.mark
  }

  async write(events: readonly JournalEvent[]): Promise<number> {
    this.#apply({ events, atMs: this.#nowMs(), mark: (this.position + 1) * MARK + (MemoryJournal.#seals++ % MARK) })
    return this.position
  }

  async settled(): Promise<void> {}

  /** What was pinned is never put back: a folder without it is that of no signer. */
  putBack(position: number): void {
    const kept = this.#records.slice(0, Math.max(1, position))
    this.register = new Register()
    this.#records = []
    for (const record of kept) this.#apply(record)
  }

  #apply(record: Written): void {
    for (const event of record.events) {
      if (event.kind === 'pinned') this.register = registerOf(event.record, record.atMs, this.#party)
      else applyEvent(this.register, event, record.atMs, this.#party)
    }
    this.#records.push(record)
  }
}

function registerOf(record: Uint8Array, atMs: number, party: number): Register {
  const known = pinned.get(record) ?? new Register()
  if (!pinned.has(record)) applyEvent(known, { kind: 'pinned', record }, atMs, party)
  pinned.set(record, known)
  const { genesis, fingerprint, genesisRecord, policy, formerPolicies, beganAnewAtMs } = known
  const register = Object.assign(new Register(), { genesis, fingerprint, genesisRecord, policy, pinnedAtMs: atMs, beganAnewAtMs })
  register.formerPolicies.push(...formerPolicies)
  return register
}

export type MemorySignerOptions = {
  party: number
  identity: Identity
  record: Uint8Array
  nowMs: () => number
  askServer: AskServer
  /** Ends the sessions under way at this signer. */
  endSessions: () => Promise<void>
}

/** A signer without disk, shares and link, which answers the server and its page as any other, but for sessions: those a walk opens itself. */
export class MemorySigner {
  readonly party: number
  readonly identity: Identity
  readonly organisation: Organisation
  readonly calls: SignerCalls
  readonly page: ReturnType<typeof createApprovalApi>
  readonly #journal: MemoryJournal

  constructor({ party, identity, record, nowMs, askServer, endSessions }: MemorySignerOptions) {
    this.party = party
    this.identity = identity
    this.#journal = new MemoryJournal(party, nowMs)
    void this.#journal.write([{ kind: 'pinned', record }])
    this.organisation = new Organisation(party, this.#journal as unknown as Journal, { folder: '', vault: undefined as unknown as Vault })
    const organisations = new Map([[toHex(this.organisation.fingerprint), this.organisation]])
    const signer = {
      options: { ports: { clock: { nowMs } }, identity, config: { party, peers: null, genesisPins: 'any' }, codecFor: () => undefined },
      organisations,
      organisation: (fingerprint: Uint8Array) => organisations.get(toHex(fingerprint)),
      sessions: { endAll: endSessions },
    } as unknown as Signer
    this.calls = createCalls(signer)
    this.page = createApprovalApi(signer, askServer)
  }

  get position(): number {
    return this.#journal.position
  }

  write(...events: JournalEvent[]): Promise<number> {
    return this.#journal.write(events)
  }

  putBack(position: number): void {
    this.#journal.putBack(position)
  }
}
