import { decode, encode, EncodingFault, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import {
  CodedRefusal,
  credentialShape,
  delegatedIn,
  delegationShape,
  freezeShape,
  type Intent,
  intentHash,
  intentShape,
  type MachineSignature,
  pushShape,
  seatOf,
  spokenShape,
  stopShape,
  type Vote,
  type Waiting,
  waitingShape,
} from '@holdfast/intent'
import { PeerError } from '@holdfast/link'
import {
  ApprovalRefused,
  checkApproval,
  checkMachineSignature,
  checkPush,
  checkWaiting,
  findPerson,
  genesisHash,
  genesisShape,
  type KeptOrder,
  ownerOfKey,
  partyOfMachine,
  type Policy,
  policyHash,
  policyShape,
  WaitingRefused,
} from '@holdfast/policy'
import { known } from '@holdfast/units'
import { freeze } from '../calls/freeze.ts'
import { setDelegation } from '../calls/set-delegation.ts'
import { stopStandingOrders } from '../calls/stop-standing-orders.ts'
import { endedBy, endedHere, isEnded } from '../checks/delegated/delegations.ts'
import type { Organisation } from '../state/organisation.ts'
import { CLOCK_TOLERANCE_MS, countedIn, faultOfFresh } from '../state/approver-counters.ts'
import type { JournalEvent } from '../state/journal-events.ts'
import { quorumKeyOf } from '../state/keep-quorum.ts'
import { bookFacts } from './book-facts.ts'
import { type PAGE_REFUSALS, PageRefused } from './page-refused.ts'
import type { Signer } from '../signer.ts'
import { isDecidedByGovernors, votedEvent } from '../checks/voted.ts'

export type JsonRecord = Record<string, unknown>
export type ApiAnswer = { status: number; body: JsonRecord }
/** Passes a call of the page on to the server. Throws PeerError if the server cannot be reached. */
export type AskServer = (method: string, body: JsonRecord) => Promise<ApiAnswer>

type Method = { fields: readonly string[]; optional?: readonly string[]; answer(body: Record<string, string>): Promise<JsonRecord> }

/**
 * What the approval page may ask of its signer. The signer passes on what the server knows, and puts its own knowledge in the
 * place of the server's word wherever it has any: the fingerprint, the policy, and whether an approval is good.
 */
export function createApprovalApi(signer: Signer, askServer: AskServer): (method: string, body: unknown, language?: string) => Promise<ApiAnswer> {
  return async (name, body, language = 'en_US') => {
    const method = methodsOf(signer, askingIn(language, askServer)).get(name)
    if (!method) return { status: 404, body: { error: 'There is no such call.' } }
    try {
      return { status: 200, body: await method.answer(readFields(body, method)) }
    } catch (cause) {
      if (cause instanceof PeerError) return { status: 503, body: { error: 'The server cannot be reached now.' } }
      return { status: 400, body: refusalBody(cause) }
    }
  }
}

/** What the page is told of a refusal: the code, which it says in its reader's language, and the sentence. Throws whatever is none. */
function refusalBody(cause: unknown): JsonRecord {
  if (cause instanceof ServerRefused) return { error: cause.message, ...cause.named }
  if (cause instanceof EncodingFault) return { error: cause.message, code: 'page-unreadable' satisfies keyof typeof PAGE_REFUSALS }
  if (!(cause instanceof CodedRefusal)) throw cause
  return { error: cause.message, ...cause.refusal }
}

/** A refusal of the server's, in the language of whoever reads the page, and by its code where it has one. */
class ServerRefused extends Error {
  override name = 'ServerRefused'
  readonly named: JsonRecord

  constructor({ error, code, given }: JsonRecord & { error: string }) {
    super(error)
    this.named = code === undefined ? {} : { code, given }
  }
}

/** Asks the server, which answers refusals in the language of whoever reads the page. Throws ServerRefused. */
function askingIn(language: string, askServer: AskServer): Ask {
  return async (method, body) => {
    const answer = await askServer(method, { ...body, language })
    const { error } = answer.body
    if (answer.status !== 200) throw typeof error === 'string' ? new ServerRefused({ ...answer.body, error }) : new PageRefused({ code: 'page-server-silent' })
    return answer.body
  }
}

function methodsOf(signer: Signer, ask: Ask): Map<string, Method> {
  const setup = (method: string, fields: readonly string[]): Method => ({ fields, answer: async (body) => checkSetup(signer, await ask(method, body)) })
  return new Map<string, Method>([
    ['setup.get', setup('setup.get', ['token'])],
    ['setup.enrol', setup('setup.enrol', ['token', 'person_id', 'credential'])],
    ['setup.accept', setup('setup.accept', ['token', 'acceptance'])],
    ['key.get', { fields: ['token'], answer: async (body) => checkKeyOffer(signer, await ask('key.get', atThisPage(signer, body))) }],
    ['key.enrol', { fields: ['token', 'credential'], answer: (body) => enrolKey(signer, ask, body) }],
    ['order.get', { fields: ['hash'], answer: (body) => getOrder(signer, ask, field(body, 'hash')) }],
    ['order.witness', { fields: ['hash', 'challenge'], answer: (body) => witness(signer, ask, field(body, 'hash'), field(body, 'challenge')) }],
    ['order.waiting', { fields: ['waiting'], answer: (body) => listWaiting(signer, ask, field(body, 'waiting')) }],
    ['push.key', { fields: [], answer: async () => ({ key: (await ask('push.key', {})).key }) }],
    ['push.set', { fields: ['push'], answer: (body) => setPush(signer, ask, field(body, 'push')) }],
    ['freeze.get', { fields: ['genesis'], answer: async (body) => getFreezes(signer, field(body, 'genesis')) }],
    ['freeze', { fields: ['freeze'], answer: (body) => stopSigning(signer, ask, field(body, 'freeze')) }],
    ['standing.get', { fields: ['genesis'], answer: async (body) => getStandingOrders(signer, field(body, 'genesis')) }],
    ['standing.stop', { fields: ['stop'], answer: (body) => stopOrders(signer, ask, field(body, 'stop')) }],
    ['delegation.get', { fields: ['genesis'], answer: async (body) => getDelegations(signer, field(body, 'genesis')) }],
    ['delegation.set', { fields: ['delegation'], answer: (body) => takeDelegation(signer, ask, field(body, 'delegation')) }],
    ['order.approve', { fields: ['approval'], optional: ['remark'], answer: (body) => approve(signer, ask, field(body, 'approval'), body.remark) }],
  ])
}

/** The named texts of a body, all of them but the optional, and nothing else. */
function readFields(body: unknown, { fields, optional = [] }: Method): Record<string, string> {
  if (body === null || typeof body !== 'object') throw new PageRefused({ code: 'page-no-object' })
  const given = Object.entries(body)
  const isKnown = given.every(([name, value]) => [...fields, ...optional].includes(name) && typeof value === 'string')
  if (!isKnown || !fields.every((name) => Object.hasOwn(body, name))) {
    throw new PageRefused({ code: 'page-other-fields', given: { fields: fields.join(', ') } })
  }
  return Object.fromEntries(given)
}

/** A field that `readFields` found. */
const field = (body: Record<string, string>, name: string): string => known(body[name], `the field ${name}`)

/** A founding document that does not name this signer as itself is not shown to anybody for acceptance; its fingerprint is computed here. */
function checkSetup({ options }: Signer, answer: JsonRecord): JsonRecord {
  const setup = answer.setup as JsonRecord | null
  if (setup === null || typeof setup !== 'object') throw new PageRefused({ code: 'page-no-setup' })
  if (setup.genesis === null || setup.genesis === undefined) return { setup: { ...setup, genesis: null, fingerprint: null } }
  const genesis = decode(genesisShape, fromHex(String(setup.genesis)))
  const named = genesis.signers.find((each) => each.party === BigInt(options.config.party))
  if (!named || !equalBytes(named.signKey, options.identity.publicKey)) {
    throw new PageRefused({ code: 'page-not-in-genesis' })
  }
  return { setup: { ...setup, fingerprint: toHex(genesisHash(genesis)) } }
}

/** Whose key a link asks for. The organisation's name is this signer's own knowledge; one it has not pinned has no people here. */
function checkKeyOffer(signer: Signer, { offer }: JsonRecord): JsonRecord {
  if (offer === null || typeof offer !== 'object') throw new PageRefused({ code: 'page-no-link' })
  const { genesis, person_id: personId, name, state } = offer as JsonRecord
  const organisation = signer.organisation(fromHex(String(genesis)))
  if (!organisation) throw new PageRefused({ code: 'page-strange-link' })
  return { offer: { organisation: organisation.genesis.name, person_id: personId, name, state } }
}

/** A link makes a key at the page it names alone, and which page this one is its signer says. */
function atThisPage({ options: { config } }: Signer, body: JsonRecord): JsonRecord {
  return { ...body, origin: config.approval?.origin ?? '' }
}

/** Passes a new key on. It approves nothing before a policy that those who govern have signed names it. */
async function enrolKey(signer: Signer, ask: Ask, body: Record<string, string>): Promise<JsonRecord> {
  decode(credentialShape, fromHex(field(body, 'credential')))
  return checkKeyOffer(signer, await ask('key.enrol', atThisPage(signer, body)))
}

type Ask = (method: string, body: JsonRecord) => Promise<JsonRecord>

type ReadOrder = { answer: JsonRecord; intent: Intent; organisation: Organisation; policy: Policy }

/** The order of this hash, and the policy it must be judged by: this signer's own copy. `part` asks the server for nothing but the intent. */
async function readOrder(signer: Signer, ask: Ask, hash: string, part?: 'intent'): Promise<ReadOrder> {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new PageRefused({ code: 'page-order-name' })
  const answer = await ask('order.get', { hash, ...(part && { part }) })
  const intent = decode(intentShape, fromHex(String(answer.intent)))
  if (toHex(intentHash(intent)) !== hash) throw new PageRefused({ code: 'page-other-order' })
  const organisation = signer.organisation(intent.genesis)
  if (!organisation) throw new PageRefused({ code: 'page-strange-order' })
  const policy = isInForceNow(organisation, intent) ? organisation.acceptedPolicy(intent.policyHash) : organisation.policy
  if (!policy || !equalBytes(policyHash(policy), intent.policyHash)) {
    throw new PageRefused({ code: 'page-earlier-policy' })
  }
  return { answer, intent, organisation, policy }
}

/** A change of the policy that this signer follows: it can still be read, under the version it replaced, and no longer decided. */
function isInForceNow(organisation: Organisation, intent: Intent): boolean {
  return intent.kind === 'policyChange' && organisation.acceptedPolicy(policyHash(decode(policyShape, intent.newPolicy))) !== undefined
}

async function getOrder(signer: Signer, ask: Ask, hash: string): Promise<JsonRecord> {
  const { answer, intent: read, organisation, policy } = await readOrder(signer, ask, hash)
  const { intent, approvals, delegations, state, facts, closes, coin, rule, around } = answer
  const genesis = toHex(encode(genesisShape, organisation.genesis))
  const serversWord = { facts: facts ?? null, closes: closes ?? null, coin: coin ?? null, rule: rule ?? null, around: around ?? null }
  const waits = organisation.register.loosenings.get(hash) ?? null
  const seen = typeof rule === 'string' ? (organisation.register.quorums.get(quorumKeyOf(fromHex(hash), rule)) ?? null) : null
  const book = bookFacts(read, organisation.register, signer.options.ports.clock.nowMs())
  const before = read.kind === 'standingOrder' ? organisation.register.standingOrders.get(toHex(read.id)) : undefined
  const kept = before ? keptFacts(before) : null
  const said = { approvals, delegations: delegations ?? [] }
  return { intent, ...said, state, ...serversWord, book, kept, waits_until: waits, quorum_seen: seen, genesis, policy: toHex(encode(policyShape, policy)) }
}

/**
 * What the other signers say of the order, each under its own signature. The page checks
 * them itself; they are carried by the server, which can withhold them and cannot make them.
 */
async function witness(signer: Signer, ask: Ask, hash: string, challenge: string): Promise<JsonRecord> {
  if (!/^[0-9a-f]{64}$/.test(challenge)) throw new PageRefused({ code: 'page-challenge' })
  const { organisation } = await readOrder(signer, ask, hash, 'intent')
  const { statements } = await ask('order.witness', { hash, challenge })
  return { party: organisation.party, statements }
}

/**
 * What waits for whoever asks with an approval key: hashes alone, which the page reads one by one. The key says who asks, and for which organisation; what it
 * signs has a tag of its own and is never an approval.
 */
async function listWaiting(signer: Signer, ask: Ask, encoded: string): Promise<JsonRecord> {
  const waiting = decode(waitingShape, fromHex(encoded))
  const organisation = organisationOfKey(signer, waiting)
  const person = checkWaiting(waiting, organisation.policy, signer.options.ports.clock.nowMs())
  const { hashes } = await ask('order.waiting', { genesis: toHex(genesisHash(organisation.genesis)), waiting: encoded })
  return { name: person.name, hashes }
}

/** Passes on that somebody wants to be told on a device that something waits, or no longer. What they sign for it has a tag of its own as well. */
async function setPush(signer: Signer, ask: Ask, encoded: string): Promise<JsonRecord> {
  const push = decode(pushShape, fromHex(encoded))
  const organisation = organisationOfKey(signer, push)
  checkPush(push, organisation.policy, signer.options.ports.clock.nowMs())
  const { on } = await ask('push.set', { genesis: toHex(genesisHash(organisation.genesis)), push: encoded })
  return { on }
}

/** The organisation whose policy names the key that signed. Throws WaitingRefused. */
function organisationOfKey({ organisations }: Signer, signed: Pick<Waiting, 'assertion'>): Organisation {
  const organisation = [...organisations.values()].find(({ policy }) => ownerOfKey(policy, signed) !== undefined)
  if (!organisation) throw new WaitingRefused({ code: 'waiting-strange-key' })
  return organisation
}

/** Who may stop something, and by which documents that is judged: this signer's own. */
function documentsOf({ genesis, policy }: Organisation): { genesis: string; policy: string } {
  return { genesis: toHex(encode(genesisShape, genesis)), policy: toHex(encode(policyShape, policy)) }
}

/** Who may stop all signing, and what stops it now. */
function getFreezes(signer: Signer, genesis: string): JsonRecord {
  const organisation = organisationOf(signer, genesis)
  return { ...documentsOf(organisation), frozen: [...organisation.register.freezes.values()].map(toHex) }
}

/** Stops all signing here, and passes the freeze on, so that the other signers stop as well. */
async function stopSigning(signer: Signer, ask: Ask, encoded: string): Promise<JsonRecord> {
  const { genesis } = decode(freezeShape, fromHex(encoded)).statement
  await freeze(signer, organisationOf(signer, toHex(genesis)), fromHex(encoded))
  return { state: 'frozen', passed: await passOn(ask, 'organisation.freeze', { freeze: encoded }) }
}

/** Every standing order that this signer follows, in its newest version, and who may stop them. */
function getStandingOrders(signer: Signer, genesis: string): JsonRecord {
  const organisation = organisationOf(signer, genesis)
  return { ...documentsOf(organisation), orders: [...organisation.register.standingOrders.values()].map(keptFacts) }
}

/** A standing order as this signer follows it. */
function keptFacts({ order, stoppedBy }: KeptOrder): JsonRecord {
  return { intent: toHex(encode(intentShape, order)), stopped_by: stoppedBy && toHex(stoppedBy) }
}

/** Stops standing orders here, and passes the stop on, so that the other signers stop them as well. Says how they all stand then. */
async function stopOrders(signer: Signer, ask: Ask, encoded: string): Promise<JsonRecord> {
  const { genesis } = decode(stopShape, fromHex(encoded)).statement
  await stopStandingOrders(signer, organisationOf(signer, toHex(genesis)), fromHex(encoded))
  const passed = await passOn(ask, 'standing.stop', { stop: encoded })
  return { state: 'stopped', passed, ...getStandingOrders(signer, toHex(genesis)) }
}

/** The highest number under which each person has said who decides in their place, as this signer has heard it, and who may. */
function getDelegations(signer: Signer, genesis: string): JsonRecord {
  const organisation = organisationOf(signer, genesis)
  const heard = endedHere(organisation.register).map(({ person, sequence }) => ({ person: toHex(person), sequence: String(sequence) }))
  return { ...documentsOf(organisation), heard }
}

/** Hears by whom somebody lets another decide in their place, or that nobody does any more, and passes it on, so that the other signers hear it as well. */
async function takeDelegation(signer: Signer, ask: Ask, encoded: string): Promise<JsonRecord> {
  const { genesis } = decode(delegationShape, fromHex(encoded)).statement
  const sequence = await setDelegation(signer, organisationOf(signer, toHex(genesis)), fromHex(encoded))
  return { state: 'kept', sequence: String(sequence), passed: await passOn(ask, 'delegation.set', { delegation: encoded }) }
}

/**
 * Has the server tell the other signers of what was done here; false if it does not take it on. What this signer has done needs no server: it tells the others
 * in its words, without which they sign nothing.
 */
function passOn(ask: Ask, method: string, body: JsonRecord): Promise<boolean> {
  return ask(method, body).then(
    () => true,
    (cause: unknown) => {
      if (cause instanceof ServerRefused || cause instanceof PageRefused || cause instanceof PeerError) return false
      throw cause
    },
  )
}

function organisationOf(signer: Signer, genesis: string): Organisation {
  const organisation = /^[0-9a-f]{64}$/.test(genesis) ? signer.organisation(fromHex(genesis)) : undefined
  if (!organisation) throw new PageRefused({ code: 'page-strange-organisation' })
  return organisation
}

type GivenApproval = { encoded: string; remark: string | undefined; approval: Vote }

/** Checks an approval and passes it on. A no is kept here too, so that no server can lose it. */
async function approve(signer: Signer, ask: Ask, encoded: string, remark: string | undefined): Promise<JsonRecord> {
  const { kind, ...approval } = decode(spokenShape, fromHex(encoded))
  if (kind === 'machine') return takeMachineSignature(signer, ask, encoded, approval as MachineSignature)
  // What screeners find comes by the door for programs: a page is for those who decide.
  if (kind === 'screening') throw new PageRefused({ code: 'page-unreadable' })
  return takeApproval(signer, ask, { encoded, remark, approval: approval as Vote })
}

/** Checks what a machine signed of an order and passes it on. The no of a co-signer is kept here as that of a person is. */
async function takeMachineSignature(signer: Signer, ask: Ask, encoded: string, signed: MachineSignature): Promise<JsonRecord> {
  const { intent, organisation, policy } = await readOrder(signer, ask, toHex(signed.intentHash), 'intent')
  if (policy !== organisation.policy) throw new PageRefused({ code: 'page-in-force' })
  const { register, journal } = organisation
  const nowMs = signer.options.ports.clock.nowMs()
  const person = partyOfMachine(checkMachineSignature(signed, intent, policy, nowMs))
  if (signed.signedAtMs > BigInt(nowMs + CLOCK_TOLERANCE_MS)) throw new PageRefused({ code: 'moment-to-come' })
  const order = toHex(signed.intentHash)
  if (signed.decision === 'reject' && register.endorsed.has(order)) throw new PageRefused({ code: 'page-too-late' })
  const isKept = register.vetoes.get(order)?.some((each) => equalBytes(each, person)) ?? false
  if (signed.decision === 'reject' && !isKept) await journal.write([{ kind: 'vetoed', intentHash: signed.intentHash, person }])
  const { state, missing } = await ask('order.approve', { approval: encoded })
  return { state, missing }
}

async function takeApproval(signer: Signer, ask: Ask, { encoded, remark, approval }: GivenApproval): Promise<JsonRecord> {
  const { intent, organisation, policy } = await readOrder(signer, ask, toHex(approval.intentHash), 'intent')
  if (policy !== organisation.policy) throw new PageRefused({ code: 'page-in-force' })
  const nowMs = signer.options.ports.clock.nowMs()
  const isOfVersionInForce = checkAgainst(organisation, approval, intent, nowMs)
  const { register, journal } = organisation
  const delegated = delegatedIn([approval])
  const seat = seatOf(approval)
  if (delegated.some((each) => isEnded(each, register)))
    throw new PageRefused({ code: 'page-delegation-ended', given: { name: findPerson(policy, seat)?.name ?? toHex(seat) } })
  const fault = faultOfFresh(approval, { register, nowMs })
  if (fault) throw new PageRefused({ code: fault })
  if (approval.decision === 'reject' && register.endorsed.has(toHex(approval.intentHash))) {
    throw new PageRefused({ code: 'page-too-late' })
  }
  const known = register.vetoes.get(toHex(approval.intentHash))?.some((person) => equalBytes(person, seat))
  const vetoed: JournalEvent[] = approval.decision === 'reject' && !known ? [{ kind: 'vetoed', intentHash: approval.intentHash, person: seat }] : []
  // Which key a proposed version names is the word of whoever proposes it: what that shows counts for nobody's passkey, and decides for nobody who governs now.
  const isOwnKey = isOfVersionInForce || !policy.governance.approvers.some((person) => equalBytes(person, approval.person))
  const isRejection = approval.decision === 'reject'
  const counted = isOfVersionInForce ? countedIn([approval], register) : []
  const voted =
    intent.kind === 'policyChange' && isOwnKey && (isRejection || isDecidedByGovernors(intent, policy)) ? [votedEvent(intent, approval, policy)] : []
  const newest = endedBy(
    delegated.map(({ delegation }) => delegation.statement),
    register,
  )
  const heard = [...vetoed, ...(isRejection ? voted : []), ...counted, ...newest]
  if (heard.length > 0) await journal.write(heard)
  const { state, missing } = await ask('order.approve', { approval: encoded, ...(remark ? { remark } : {}) })
  // What the server does not take is not approved, and whoever approved it reads that it is not.
  if (!isRejection && voted.length > 0) await journal.write(voted)
  return { state, missing }
}

/** Whether an approval is with a key of the version in force or, for a change of policy, with one that the new version brings in. Throws ApprovalRefused. */
function checkAgainst({ policy }: Organisation, approval: Vote, intent: Intent, atMs: number): boolean {
  try {
    checkApproval(approval, intent, policy, policy, { atMs })
    return true
  } catch (cause) {
    if (!(cause instanceof ApprovalRefused) || intent.kind !== 'policyChange') throw cause
    checkApproval(approval, intent, policy, decode(policyShape, intent.newPolicy))
    return false
  }
}
