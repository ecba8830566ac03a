import { decode, encode, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { approvalShape, type FreezeStatement, freezeHash, freezeShape, type Intent, intentHash, intentShape, type SignerOrderIntent } from '@holdfast/intent'
import { type GenesisRecord, genesisRecordShape, type Policy, policyChangeRecordShape, policyHash, signersOf } from '@holdfast/policy'
import type { Signed } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { AskServer } from '../../page/approval-api.ts'
import { Log } from '../log-of.ts'
import { MemorySigner } from '../memory-signer.ts'
import { draftOf } from '../order-of.ts'
import { DAY_MS, NOW_MS } from '../organisation-of.ts'
import { approve, assertWith, type Member } from '../people.ts'
import { policyChangeOf, type TestChange } from '../policy-change-of.ts'
import { isNamed, type Knowledge, tries, type WalkOrder, WalkSessions } from './walk-sessions.ts'
import { acme, ann, ben, cleo, DAY_MAX, key, ORDER_MAX, signSecrets } from '../world-of.ts'

const seed = (text: string) => sha256(new TextEncoder().encode(text))
const PARTIES = [1, 2, 3]

/** A version of the policy that people made, with the words of signers that would follow it. */
export type WalkChange = TestChange & { voters: Set<Member>; endorsements: Signed[]; newcomer: { party: number; secretKey: Uint8Array } | null }
/** An order to the signers that people approved, with the words of signers that would follow it. */
export type WalkSignerOrder = { intent: SignerOrderIntent; encoded: Uint8Array; approvals: Uint8Array[]; places: number[]; endorsements: Signed[] }

/** What a signer did or was told at a step of the walk, for whoever judges afterwards what it should have known. */
export type Told = { by: MemorySigner; step: number } & (
  | { what: 'veto'; order: Uint8Array }
  | { what: 'freeze'; hash: string }
  | { what: 'lift'; hashes: string[] }
  | { what: 'version'; version: bigint }
  | { what: 'vote'; change: Uint8Array; person: Member }
  | { what: 'follow'; order: Uint8Array }
)

/** One word of each signer: a call takes no more. */
const latestOf = (words: readonly Signed[]): Signed[] => [...new Map(words.map((each) => [each.party, each])).values()]

/** Three signers and whoever takes the place of one, the people of an organisation, and a server that does with them what it likes. */
export class Walk {
  readonly now = { ms: NOW_MS, step: 0 }
  readonly sessions: WalkSessions
  /** Every machine there ever was; the one that has the place of a party is the last of that party. */
  readonly machines: MemorySigner[]
  readonly orders: WalkOrder[] = []
  readonly changes: WalkChange[] = []
  readonly signerOrders: WalkSignerOrder[] = []
  readonly freezes: { statement: FreezeStatement; encoded: Uint8Array }[] = []
  readonly told: Told[] = []
  /** Machines whose folder was put back, and when: what only they had heard is known to nobody. */
  readonly forgetful = new Map<MemorySigner, number[]>()
  readonly #log = new Log(acme.fingerprint)

  constructor(knowledge: Knowledge = 'words') {
    this.sessions = new WalkSessions(this.now, knowledge)
    this.machines = PARTIES.map((party) => this.#machineOf(party, signSecrets[party - 1]!, acme.record))
    for (const machine of this.machines) void machine.write({ kind: 'keyMade', ...key, protocol: 'dkls23/v1', curve: 'secp256k1' })
    this.#log.append('genesis', acme.record)
    this.ask()
  }

  /** The machine that has the place of a party, or an earlier one that had. */
  of(party: number, back = 0): MemorySigner {
    const machines = this.machines.filter((each) => each.party === party)
    return machines[Math.max(0, machines.length - 1 - back)]!
  }

  /** The newest version that any signer follows: what people see. */
  get policy(): Policy {
    return this.machines.map(({ organisation }) => organisation.policy).toSorted((a, b) => Number(b.version - a.version))[0]!
  }

  /** People ask for four payments and approve them. Two thirds of the window each make three of them too many. */
  ask(): void {
    for (let i = 0; i < 4; i++) {
      const amount = i === 3 ? ORDER_MAX : DAY_MAX / 2n
      const salt = this.orders.length
      const { intent } = draftOf({ fingerprint: acme.fingerprint, policy: this.policy, key, initiator: ann, amount, salt, nowMs: this.now.ms })
      const signedAtMs = intent.notBeforeMs + 1000n
      this.orders.push({ intent, hash: intentHash(intent), approvals: [{ signedAtMs }] as unknown as WalkOrder['approvals'] })
    }
  }

  /** Time passes, longer than any session waits for a message. */
  async wait(ms: number): Promise<void> {
    this.now.ms += ms
    for (const machine of this.machines) await this.sessions.endAllOf(machine)
  }

  /** One folder is put back to an older copy, which ends what was under way there. */
  async putBack(machine: MemorySigner, position: number): Promise<void> {
    this.forgetful.set(machine, [...(this.forgetful.get(machine) ?? []), ++this.now.step])
    await this.sessions.restart(machine)
    machine.putBack(position)
    await machine.write({ kind: 'restarted' })
    await this.#cosign(machine)
  }

  /** Somebody says no to an order, or to a change of the policy, at a signer's page. */
  async reject(intent: Intent, by: MemorySigner): Promise<boolean> {
    const policy = [by.organisation.policy, ...by.organisation.register.formerPolicies].find(({ version }) => version === intent.policyVersion)
    if (!policy) return false
    const answer = await by.page('order.approve', { approval: toHex(encode(approvalShape, approve(cleo, intent, policy, { decision: 'reject' }))) })
    if (answer.status === 200) this.#tell(by, { what: 'veto', order: intentHash(intent) })
    return answer.status === 200
  }

  /** Somebody stops all signing, at the page of one signer. */
  async freeze(by: MemorySigner, person: Member = cleo): Promise<boolean> {
    const nonce = seed(`freeze ${this.freezes.length}`)
    const statement: FreezeStatement = { genesis: acme.fingerprint, person: person.person.id, atMs: BigInt(this.now.ms), nonce, reason: 'lost' }
    const hash = freezeHash(statement)
    const encoded = encode(freezeShape, { statement, assertion: assertWith(person.keys[0], hash) })
    this.freezes.push({ statement, encoded })
    return this.passFreeze(by, this.freezes.length - 1)
  }

  /** The server tells another signer of a freeze, or the same again. */
  async passFreeze(by: MemorySigner, index: number): Promise<boolean> {
    const { statement, encoded } = this.freezes[index]!
    const went = await tries(() => by.calls.freeze({ genesis: acme.fingerprint, freeze: encoded }))
    if (went) this.#tell(by, { what: 'freeze', hash: toHex(freezeHash(statement)) })
    return went
  }

  /** People approve that the freezes there are, are lifted. */
  liftAll(): WalkSignerOrder | undefined {
    const freezes = this.freezes.slice(-16).map(({ statement }) => statement)
    return freezes.length === 0 ? undefined : this.#orderSigners((common) => ({ kind: 'liftFreeze', ...common, freezes }))
  }

  /** People approve that a signer is away. */
  declareAway(party: number, ms = 7 * DAY_MS): WalkSignerOrder {
    return this.#orderSigners((common) => ({ kind: 'absence', ...common, party: BigInt(party), untilMs: BigInt(this.now.ms + ms) }))
  }

  /**
   * Somebody proposes the next version of the policy, which Ben and Cleo are to approve: the same for a longer time, or with another machine in the place
   * of a signer.
   */
  change(replaced: number | null): WalkChange {
    const current = this.policy
    const number = this.changes.length
    const secretKey = seed(`newcomer ${number % 4}`)
    const signers = signersOf(acme.genesis, current).map((each) =>
      each.party === BigInt(replaced ?? 0) ? { ...each, operator: 'Operator 4', signKey: ed25519.getPublicKey(secretKey) } : each,
    )
    const expiresAtMs = BigInt(this.now.ms + 400 * DAY_MS + number)
    const changes: Partial<Policy> = replaced === null ? { expiresAtMs } : { expiresAtMs, kind: 'namedSigners', signers }
    const times = { notBeforeMs: BigInt(this.now.ms - 60_000), expiresAtMs: BigInt(this.now.ms + 7 * DAY_MS) }
    const made = policyChangeOf(acme, current, changes, [ben, cleo], { initiator: ann, intent: { ...times, nonce: seed(`change ${number}`) } })
    const change = { ...made, voters: new Set<Member>(), endorsements: [], newcomer: replaced === null ? null : { party: replaced, secretKey } }
    this.changes.push(change)
    return change
  }

  /** Somebody approves a change at a signer's page. The server has what is signed of it once both have. */
  async vote({ intent, voters }: WalkChange, person: Member, by: MemorySigner): Promise<boolean> {
    const { policy } = by.organisation
    if (policy.version !== intent.policyVersion) return false
    const answer = await by.page('order.approve', { approval: toHex(encode(approvalShape, approve(person, intent, policy))) })
    if (answer.status !== 200) return false
    voters.add(person)
    this.#tell(by, { what: 'vote', change: intentHash(intent), person })
    return true
  }

  endorseChange(change: WalkChange, by: MemorySigner): Promise<boolean> {
    return tries(async () => {
      change.endorsements.push(await by.calls.endorse({ genesis: acme.fingerprint, subject: { kind: 'policyChange', record: change.record } }))
    })
  }

  async follow(change: WalkChange, by: MemorySigner): Promise<boolean> {
    const before = by.organisation.policy.version
    // One that was replaced still takes newer versions, for itself alone: nothing comes of what it follows.
    const hasPlace = isNamed(by)
    const went = await tries(() => by.calls.applyPolicy({ genesis: acme.fingerprint, record: change.record, endorsements: latestOf(change.endorsements) }))
    const { version } = by.organisation.policy
    if (version > before) this.#tell(by, { what: 'version', version })
    if (version > before && hasPlace) this.#tell(by, { what: 'follow', order: intentHash(change.intent) })
    return went
  }

  endorseOrder(order: WalkSignerOrder, by: MemorySigner): Promise<boolean> {
    return tries(async () => {
      order.endorsements.push(await by.calls.endorse({ genesis: acme.fingerprint, subject: { kind: 'order', ...(await this.#asked(order)) } }))
    })
  }

  async followOrder(order: WalkSignerOrder, by: MemorySigner): Promise<boolean> {
    const asked = await this.#asked(order)
    const went = await tries(() => by.calls.followSignerOrder({ genesis: acme.fingerprint, ...asked, endorsements: latestOf(order.endorsements) }))
    const { intent } = order
    if (went) this.#tell(by, { what: 'follow', order: intentHash(intent) })
    if (went && intent.kind === 'liftFreeze') this.#tell(by, { what: 'lift', hashes: intent.freezes.map((each) => toHex(freezeHash(each))) })
    return went
  }

  /** The machine that takes a place by the newest version begins, with an empty folder. */
  seat(): MemorySigner | undefined {
    const { policy } = this
    const chain = this.#chainTo(policy)
    const newcomer = chain.findLast((each) => each.newcomer)?.newcomer
    if (!newcomer || equalBytes(this.of(newcomer.party).identity.secretKey, newcomer.secretKey)) return undefined
    const { genesis, acceptances } = decode(genesisRecordShape, acme.record)
    const policyChanges = chain.map(({ record }) => decode(policyChangeRecordShape, record))
    const record: GenesisRecord = { kind: 'followed', genesis, acceptances, policyChanges }
    const machine = this.#machineOf(newcomer.party, newcomer.secretKey, encode(genesisRecordShape, record))
    this.machines.push(machine)
    void this.#cosign(machine)
    return machine
  }

  /** The three that have the places get new shares, where all follow one version. */
  async share(): Promise<boolean> {
    const seats = PARTIES.map((party) => this.of(party))
    const [policy] = seats.map(({ organisation }) => organisation.policy)
    if (!seats.every(({ organisation }) => equalBytes(policyHash(organisation.policy), policyHash(policy!)) && organisation.register.freezes.size === 0))
      return false
    const epochs = seats.map(({ organisation }) => organisation.register.keys.get(toHex(key.keyId))?.epoch ?? -1n)
    const epoch = epochs.reduce((most, each) => (each > most ? each : most)) + 1n
    for (const [i, seat] of seats.entries()) {
      const made = { ...key, protocol: 'dkls23/v1', curve: 'secp256k1', epoch }
      await seat.write({ kind: 'keyStaged', ...made, key: new Uint8Array(32), intentHash: new Uint8Array(32), received: epochs[i] === -1n })
      await seat.write({ kind: 'epochActivated', keyId: key.keyId, epoch })
    }
    return true
  }

  #orderSigners(make: (common: Omit<SignerOrderIntent, 'kind' | 'party' | 'untilMs' | 'freezes'>) => SignerOrderIntent): WalkSignerOrder {
    const { policy } = this
    const intent = make({
      genesis: acme.fingerprint,
      orderId: new Uint8Array(16).fill(9),
      remark: 'as agreed',
      notBeforeMs: BigInt(this.now.ms - 60_000),
      expiresAtMs: BigInt(this.now.ms + DAY_MS),
      policyVersion: policy.version,
      policyHash: policyHash(policy),
      initiator: ann.person.id,
      nonce: seed(`signer order ${this.signerOrders.length}`),
    })
    const encoded = encode(intentShape, intent)
    const approvals = [ben, cleo].map((member) => encode(approvalShape, approve(member, intent, policy)))
    const places = [this.#log.append('intent', encoded), ...approvals.map((each) => this.#log.append('approval', each))]
    const order: WalkSignerOrder = { intent, encoded, approvals, places, endorsements: [] }
    this.signerOrders.push(order)
    return order
  }

  /** What is asked of signers, which all have the newest of the log. */
  async #asked({ encoded, approvals, places }: WalkSignerOrder) {
    for (const machine of this.machines) await this.#cosign(machine)
    return { intent: encoded, approvals, checkpoint: this.#log.note(), logged: places.map((place) => this.#log.logged(place)) }
  }

  async #cosign({ calls, organisation }: MemorySigner): Promise<void> {
    const { size, root } = this.#log.checkpoint
    const oldSize = BigInt(organisation.register.logSize)
    const proof = this.#log.tree.consistencyProof(Number(oldSize))
    await tries(() => calls.cosignCheckpoint({ genesis: acme.fingerprint, size: BigInt(size), root, oldSize, proof }))
  }

  /** The changes that lead from the founding to a version. */
  #chainTo(policy: Policy): WalkChange[] {
    const last = this.changes.find(({ next }) => equalBytes(policyHash(next), policyHash(policy)))
    if (!last) return []
    const before = this.changes.find(({ next }) => equalBytes(policyHash(next), last.next.previous))
    return before ? [...this.#chainTo(before.next), last] : [last]
  }

  #machineOf(party: number, secretKey: Uint8Array, record: Uint8Array): MemorySigner {
    const machine: MemorySigner = new MemorySigner({
      party,
      identity: { secretKey, publicKey: ed25519.getPublicKey(secretKey) },
      record,
      nowMs: () => this.now.ms,
      askServer: this.#answerPage,
      endSessions: () => this.sessions.endAllOf(machine),
    })
    return machine
  }

  /** What the server says to a page: the order it asks for, and that all is well. */
  readonly #answerPage: AskServer = async (method, body) => {
    if (method !== 'order.get') return { status: 200, body: { state: 'approving', missing: 1 } }
    const asked = fromHex(String(body.hash))
    const intents: Intent[] = [...this.orders, ...this.changes, ...this.signerOrders].map(({ intent }) => intent)
    const intent = intents.find((each) => equalBytes(intentHash(each), asked))!
    return { status: 200, body: { intent: toHex(encode(intentShape, intent)), approvals: [], state: 'approving' } }
  }

  #tell(by: MemorySigner, told: { [K in Told['what']]: Omit<Extract<Told, { what: K }>, 'by' | 'step'> }[Told['what']]): void {
    this.told.push({ by, step: ++this.now.step, ...told } as Told)
  }
}
