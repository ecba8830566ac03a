import type { Locale, Refusal } from '@holdfast/intent'
import { isUuid } from '@holdfast/units'
import { PageError } from '../page-error.ts'

export type SetupState = 'enrolling' | 'accepting' | 'pinning' | 'ready'
export type Member = { person_id: string; name: string; enrolled: boolean; accepted: boolean; mine: boolean }
export type Setup = {
  name: string
  demo: boolean
  state: SetupState
  members: Member[]
  genesis: string | null
  fingerprint: string | null
  console_url: string
  invite: string | null
}
/** Whose approval key a link is for. */
export type KeyOffer = { organisation: string; personId: string; name: string }
/** What the server says it knows of a destination; null if it says nothing. */
export type Facts = { firstTime: boolean; contract: boolean | null; own: boolean; similar: { address: string; kind: 'own' | 'paid_before' }[] }
/** What the server says a change of the policy closes: how many orders that wait, and some of them in the words of each language. */
export type Closes = { count: number; named: Record<Locale, string[]> }
/** What the server calls the wallet that pays, the network and the recipient, and what it says the payment is worth: its word, and shown as such. */
export type Around = {
  wallet: string | null
  network: string | null
  /** `own`: a wallet of the organisation's; `book`: its address book calls it so; `requester`: whoever asked does. */
  to: { name: string; by: 'own' | 'book' | 'requester' } | null
  worth: { amount: string; currency: string } | null
}
/** What the signer that serves the page knows of a destination, by its own whitelist. */
export type Standing = { state: 'listed' | 'cooling' | 'none' | 'unknown'; since: number | null; usableAt: number | null; lists: string[] }
/** Of each whom the order pays, in its sequence; and the addresses it would put on the whitelist that are taken for another one on it. */
export type Book = { payments: Standing[]; alike: { address: string; name: string; other: string }[] }
export type OrderReply = {
  intent: string
  approvals: string[]
  /** Statements in force, as the server knows them, by which somebody may decide for another. */
  delegations: string[]
  state: string
  genesis: string
  policy: string
  facts: Facts | null
  closes: Closes | null
  around: Around | null
  book: Book | null
  /** The standing order that an order would take the place of, or is already, as that signer follows it. */
  kept: KeptReply | null
  /** Until when the signer that serves the page waits before it follows a change that loosens the policy; null where it has not heard of one. */
  waitsUntil: number | null
  /** When the signer saw that the steps of the rule are met for an order that waits after that. */
  quorumSeenMs: number | null
  /** The coin that the server says stands behind the number of a place. */
  coin: string | null
  /** The rule that is to decide, as the server counts the limits of those before it; the first that asks for people, if null. */
  rule: string | null
}
/** The highest sequence that a signer has heard of each person's statements about who decides for them; people as hex. */
export type DelegationsReply = { genesis: string; policy: string; heard: { person: string; sequence: bigint }[] }
/** Whether the server took it on, to tell the other signers. */
export type DelegationReply = { passed: boolean }
/** What other signers said of an order. Nothing of it is checked yet. */
export type WitnessReply = { party: number; statements: { party: number; statement: string | null }[] }
/** What waits for whoever asked, by hashes, and the name that the policy has for them. */
export type WaitingReply = { name: string; hashes: string[] }
export type ApproveReply = { state: string; missing: number }
/** Of the signer itself: its founding document and policy, and the freezes in force there, by their hashes. */
export type FreezesReply = { genesis: string; policy: string; frozen: string[] }
/** A standing order that a signer follows, and by whom it was stopped there. */
export type KeptReply = { intent: string; stoppedBy: string | null }
/** Of the signer itself: its founding document and policy, and every standing order that it follows. */
export type StandingReply = { genesis: string; policy: string; orders: KeptReply[] }
/** Whether the server took it on, for the other signers. */
export type StopReply = { passed: boolean }

/** What the page may ask of its signer. Every call throws PageError: `refused`, `noAnswer` or `badAnswer`. */
export type SignerApi = {
  getSetup(token: string): Promise<Setup>
  enrol(token: string, personId: string, credentialHex: string): Promise<Setup>
  accept(token: string, acceptanceHex: string): Promise<Setup>
  getKeyOffer(token: string): Promise<KeyOffer>
  enrolKey(token: string, credentialHex: string): Promise<KeyOffer>
  getOrder(hash: string): Promise<OrderReply>
  getWitnesses(hash: string, challenge: string): Promise<WitnessReply>
  /** `remark` goes along for people to read; nobody signs it. */
  approve(approvalHex: string, remark: string): Promise<ApproveReply>
  getWaiting(waitingHex: string): Promise<WaitingReply>
  /** The key that the browser takes pushes of, in hexadecimal. */
  getPushKey(): Promise<string>
  /** Whether the device is told from now on. */
  setPush(pushHex: string): Promise<boolean>
  getFreezes(genesis: string): Promise<FreezesReply>
  stopSigning(freezeHex: string): Promise<StopReply>
  getStandingOrders(genesis: string): Promise<StandingReply>
  getDelegations(genesis: string): Promise<DelegationsReply>
  setDelegation(delegationHex: string): Promise<DelegationReply>
  /** How all standing orders stand once these are stopped. */
  stopStandingOrders(stopHex: string): Promise<StopReply & StandingReply>
}

/** The calls over HTTP, to the page's own origin. */
export function signerApi(send: typeof globalThis.fetch, language = () => 'en-US'): SignerApi {
  const call = async (method: string, body: Record<string, string>): Promise<unknown> => {
    const { status, answer } = await post(send, method, body, language())
    if (status === 400 && isRecord(answer) && typeof answer.error === 'string') throw new PageError('refused', answer.error, { refusal: readRefusal(answer) })
    if (status === 503) throw new PageError('noAnswer')
    if (status !== 200) throw new PageError('badAnswer', `HTTP ${status}`)
    return answer
  }
  return {
    getSetup: async (token) => readSetup(await call('setup.get', { token })),
    enrol: async (token, personId, credential) => readSetup(await call('setup.enrol', { token, person_id: personId, credential })),
    accept: async (token, acceptance) => readSetup(await call('setup.accept', { token, acceptance })),
    getKeyOffer: async (token) => readKeyOffer(await call('key.get', { token })),
    enrolKey: async (token, credential) => readKeyOffer(await call('key.enrol', { token, credential })),
    getOrder: async (hash) => readOrderReply(await call('order.get', { hash })),
    getWitnesses: async (hash, challenge) => readWitnessReply(await call('order.witness', { hash, challenge })),
    getWaiting: async (waiting) => readWaitingReply(await call('order.waiting', { waiting })),
    getPushKey: async () => readPushKey(await call('push.key', {})),
    setPush: async (push) => readPushReply(await call('push.set', { push })),
    getFreezes: async (genesis) => readFreezesReply(await call('freeze.get', { genesis })),
    stopSigning: async (freeze) => readStopReply(await call('freeze', { freeze }), 'frozen'),
    getDelegations: async (genesis) => readDelegationsReply(await call('delegation.get', { genesis })),
    setDelegation: async (delegation) => readDelegationReply(await call('delegation.set', { delegation })),
    getStandingOrders: async (genesis) => readStandingReply(await call('standing.get', { genesis })),
    stopStandingOrders: async (stop) => {
      const answer = await call('standing.stop', { stop })
      return { ...readStopReply(answer, 'stopped'), ...readStandingReply(answer) }
    },
    approve: async (approval, remark) => readApproveReply(await call('order.approve', { approval, ...(remark === '' ? {} : { remark }) })),
  }
}

async function post(
  send: typeof globalThis.fetch,
  method: string,
  body: Record<string, string>,
  language: string,
): Promise<{ status: number; answer: unknown }> {
  let response: Response
  try {
    response = await send(`/api/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify(body),
      cache: 'no-store',
      redirect: 'error',
    })
  } catch (cause) {
    throw new PageError('noAnswer', '', { cause })
  }
  const answer: unknown = await response.json().catch(() => undefined)
  return { status: response.status, answer }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

const SETUP_STATES: readonly string[] = ['enrolling', 'accepting', 'pinning', 'ready'] satisfies SetupState[]

/** The set-up out of an answer. Throws PageError if anything is missing or of another type. */
export function readSetup(answer: unknown): Setup {
  const setup = isRecord(answer) ? answer.setup : undefined
  if (!isRecord(setup) || !Array.isArray(setup.members)) throw new PageError('badAnswer')
  const { name, demo, state, genesis, fingerprint, console_url: consoleUrl, invite } = setup
  if (typeof name !== 'string' || typeof demo !== 'boolean' || typeof state !== 'string' || !SETUP_STATES.includes(state)) throw new PageError('badAnswer')
  if (!isTextOrNull(genesis) || !isTextOrNull(fingerprint) || !isTextOrNull(invite) || typeof consoleUrl !== 'string') throw new PageError('badAnswer')
  return { name, demo, state: state as SetupState, members: setup.members.map(readMember), genesis, fingerprint, console_url: consoleUrl, invite }
}

/** What was refused by code; undefined if the sentence is all there is, as of the server's refusals, which are in the reader's language. */
function readRefusal({ code, given = {} }: Record<string, unknown>): Refusal | undefined {
  if (typeof code !== 'string' || !isRecord(given)) return undefined
  return { code, given: Object.fromEntries(Object.entries(given).map(([place, value]) => [place, String(value)])) }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function readMember(member: unknown): Member {
  if (!isRecord(member)) throw new PageError('badAnswer')
  const { person_id: personId, name, enrolled, accepted, mine } = member
  const whole = typeof personId === 'string' && isUuid(personId) && typeof name === 'string'
  if (!whole || typeof enrolled !== 'boolean' || typeof accepted !== 'boolean' || typeof mine !== 'boolean') throw new PageError('badAnswer')
  return { person_id: personId, name, enrolled, accepted, mine }
}

/** The offer out of an answer. Throws PageError if anything is missing or of another type. */
export function readKeyOffer(answer: unknown): KeyOffer {
  const offer = isRecord(answer) ? answer.offer : undefined
  if (!isRecord(offer)) throw new PageError('badAnswer')
  const { organisation, person_id: personId, name } = offer
  if (typeof organisation !== 'string' || typeof personId !== 'string' || !isUuid(personId) || typeof name !== 'string') throw new PageError('badAnswer')
  return { organisation, personId, name }
}

/** The order out of an answer. Throws PageError if anything is missing or of another type. */
export function readOrderReply(answer: unknown): OrderReply {
  if (!isRecord(answer)) throw new PageError('badAnswer')
  const { intent, approvals, state, genesis, policy } = answer
  if (typeof intent !== 'string' || typeof state !== 'string' || typeof policy !== 'string' || typeof genesis !== 'string') throw new PageError('badAnswer')
  if (!Array.isArray(approvals) || !approvals.every((each): each is string => typeof each === 'string')) throw new PageError('badAnswer')
  const { delegations } = answer
  if (!Array.isArray(delegations) || !delegations.every((each): each is string => typeof each === 'string')) throw new PageError('badAnswer')
  const { coin = null, rule = null } = answer
  if (!isTextOrNull(coin) || !isTextOrNull(rule)) throw new PageError('badAnswer')
  return {
    intent,
    approvals,
    delegations,
    state,
    genesis,
    policy,
    facts: readFacts(answer.facts),
    closes: readCloses(answer.closes),
    around: readAround(answer.around),
    book: readBook(answer.book),
    kept: answer.kept === null || answer.kept === undefined ? null : readKeptReply(answer.kept),
    waitsUntil: typeof answer.waits_until === 'number' ? answer.waits_until : null,
    quorumSeenMs: typeof answer.quorum_seen === 'number' ? answer.quorum_seen : null,
    coin,
    rule,
  }
}

function readCloses(closes: unknown): Closes | null {
  if (closes === null || closes === undefined) return null
  if (!isRecord(closes) || typeof closes.count !== 'number' || !isRecord(closes.named)) throw new PageError('badAnswer')
  const { count, named } = closes
  const inWords = (locale: Locale): string[] => {
    const lines = named[locale]
    if (!Array.isArray(lines) || !lines.every((each): each is string => typeof each === 'string')) throw new PageError('badAnswer')
    return lines
  }
  return { count, named: { 'en-US': inWords('en-US'), 'zh-CN': inWords('zh-CN') } }
}

/** What the server says around an order; null if it says nothing. Throws PageError if anything is of another type. */
function readAround(around: unknown): Around | null {
  if (around === null || around === undefined) return null
  if (!isRecord(around)) throw new PageError('badAnswer')
  const { wallet, network, to, worth } = around
  if (!isTextOrNull(wallet) || !isTextOrNull(network)) throw new PageError('badAnswer')
  return { wallet, network, to: readName(to), worth: readWorth(worth) }
}

function readName(to: unknown): Around['to'] {
  if (to === null) return null
  if (!isRecord(to) || typeof to.name !== 'string' || (to.by !== 'own' && to.by !== 'book' && to.by !== 'requester')) throw new PageError('badAnswer')
  return { name: to.name, by: to.by }
}

function readWorth(worth: unknown): Around['worth'] {
  if (worth === null) return null
  if (!isRecord(worth) || typeof worth.amount !== 'string' || typeof worth.currency !== 'string') throw new PageError('badAnswer')
  const { amount, currency } = worth
  if (!/^\d{1,40}(\.\d{1,40})?$/.test(amount) || !/^[A-Z]{3}$/.test(currency)) throw new PageError('badAnswer')
  return { amount, currency }
}

function readBook(book: unknown): Book | null {
  if (book === null || book === undefined) return null
  if (!isRecord(book) || !Array.isArray(book.payments) || !Array.isArray(book.alike)) throw new PageError('badAnswer')
  return { payments: book.payments.map(readStanding), alike: book.alike.map(readAlike) }
}

const STANDINGS: readonly string[] = ['listed', 'cooling', 'none', 'unknown'] satisfies Standing['state'][]

function readStanding(standing: unknown): Standing {
  if (!isRecord(standing) || !Array.isArray(standing.lists)) throw new PageError('badAnswer')
  const { state, since, usable_at: usableAt, lists } = standing
  const isTime = (time: unknown): time is number | null => time === null || Number.isSafeInteger(time)
  if (typeof state !== 'string' || !STANDINGS.includes(state) || !isTime(since) || !isTime(usableAt)) throw new PageError('badAnswer')
  if (!lists.every((each): each is string => typeof each === 'string')) throw new PageError('badAnswer')
  return { state: state as Standing['state'], since, usableAt, lists }
}

function readAlike(alike: unknown): Book['alike'][number] {
  if (!isRecord(alike)) throw new PageError('badAnswer')
  const { address, name, other } = alike
  if (typeof address !== 'string' || typeof name !== 'string' || typeof other !== 'string') throw new PageError('badAnswer')
  return { address, name, other }
}

function readFacts(facts: unknown): Facts | null {
  if (facts === null || facts === undefined) return null
  if (!isRecord(facts) || !Array.isArray(facts.similar)) throw new PageError('badAnswer')
  const { first_time: firstTime, contract, own, similar } = facts
  if (typeof firstTime !== 'boolean' || typeof own !== 'boolean' || (contract !== null && typeof contract !== 'boolean')) throw new PageError('badAnswer')
  return { firstTime, contract, own, similar: similar.map(readSimilar) }
}

function readSimilar(similar: unknown): Facts['similar'][number] {
  if (!isRecord(similar) || typeof similar.address !== 'string' || (similar.kind !== 'own' && similar.kind !== 'paid_before')) throw new PageError('badAnswer')
  return { address: similar.address, kind: similar.kind }
}

function readWitnessReply(answer: unknown): WitnessReply {
  if (!isRecord(answer) || typeof answer.party !== 'number' || !Array.isArray(answer.statements)) {
    throw new PageError('badAnswer')
  }
  const statements = answer.statements.map((each: unknown) => {
    if (!isRecord(each) || typeof each.party !== 'number' || !isTextOrNull(each.statement)) throw new PageError('badAnswer')
    return { party: each.party, statement: each.statement }
  })
  return { party: answer.party, statements }
}

function readApproveReply(answer: unknown): ApproveReply {
  if (!isRecord(answer) || typeof answer.state !== 'string' || typeof answer.missing !== 'number') throw new PageError('badAnswer')
  return { state: answer.state, missing: answer.missing }
}

function readWaitingReply(answer: unknown): WaitingReply {
  if (!isRecord(answer) || typeof answer.name !== 'string' || !Array.isArray(answer.hashes)) throw new PageError('badAnswer')
  const { name, hashes } = answer
  if (!hashes.every((each): each is string => typeof each === 'string' && /^[0-9a-f]{64}$/.test(each))) throw new PageError('badAnswer')
  return { name, hashes }
}

function readPushKey(answer: unknown): string {
  if (!isRecord(answer) || typeof answer.key !== 'string' || !/^04[0-9a-f]{128}$/.test(answer.key)) throw new PageError('badAnswer')
  return answer.key
}

function readPushReply(answer: unknown): boolean {
  if (!isRecord(answer) || typeof answer.on !== 'boolean') throw new PageError('badAnswer')
  return answer.on
}

function readFreezesReply(answer: unknown): FreezesReply {
  if (!isRecord(answer) || typeof answer.genesis !== 'string' || typeof answer.policy !== 'string' || !Array.isArray(answer.frozen)) {
    throw new PageError('badAnswer')
  }
  const { genesis, policy, frozen } = answer
  if (!frozen.every((each): each is string => typeof each === 'string')) throw new PageError('badAnswer')
  return { genesis, policy, frozen }
}

function readKeptReply(kept: unknown): KeptReply {
  if (!isRecord(kept) || typeof kept.intent !== 'string' || !isTextOrNull(kept.stopped_by)) throw new PageError('badAnswer')
  return { intent: kept.intent, stoppedBy: kept.stopped_by }
}

/** The standing orders out of an answer. Throws PageError if anything is missing or of another type. */
export function readStandingReply(answer: unknown): StandingReply {
  if (!isRecord(answer) || typeof answer.genesis !== 'string' || typeof answer.policy !== 'string' || !Array.isArray(answer.orders)) {
    throw new PageError('badAnswer')
  }
  const { genesis, policy, orders } = answer
  return { genesis, policy, orders: orders.map(readKeptReply) }
}

const isSequence = (text: unknown): text is string => typeof text === 'string' && /^\d{1,16}$/.test(text)

function readDelegationsReply(answer: unknown): DelegationsReply {
  if (!isRecord(answer) || typeof answer.genesis !== 'string' || typeof answer.policy !== 'string' || !Array.isArray(answer.heard)) {
    throw new PageError('badAnswer')
  }
  const { genesis, policy } = answer
  const heard = answer.heard.map((each: unknown) => {
    if (!isRecord(each) || typeof each.person !== 'string' || !isSequence(each.sequence)) throw new PageError('badAnswer')
    return { person: each.person, sequence: BigInt(each.sequence) }
  })
  return { genesis, policy, heard }
}

function readDelegationReply(answer: unknown): DelegationReply {
  if (!isRecord(answer) || answer.state !== 'kept' || typeof answer.passed !== 'boolean') throw new PageError('badAnswer')
  return { passed: answer.passed }
}

function readStopReply(answer: unknown, state: 'frozen' | 'stopped'): StopReply {
  if (!isRecord(answer) || answer.state !== state || typeof answer.passed !== 'boolean') throw new PageError('badAnswer')
  return { passed: answer.passed }
}
