import type { ChainCodec } from '@holdfast/chain-core'
import { decode, equalBytes, toHex } from '@holdfast/encoding'
import {
  type Intent,
  intentHash,
  intentShape,
  isCancellation,
  isSpending,
  type Locale,
  originalOf,
  readSpoken,
  type SpendingIntent,
  earlierRenderings,
  renderFor,
  seatOf,
  type Vote,
  delegatedIn,
  delegationOf,
  renderHash,
  renderIntent,
  type Rendering,
  wordings,
} from '@holdfast/intent'
import { entryShape, leafHash, parseCheckpoint, verifyCosignature, verifyInclusion } from '@holdfast/log'
import {
  approvalContext,
  asksForScreening,
  checkGenesis,
  checkPolicyChange,
  countApprovals,
  faultOfScreening,
  findMachine,
  findSpeaker,
  neededIn,
  type Outcome,
  outcomesOfOrder,
  faultOfTokenWallets,
  type Founding,
  type Policy,
  policyChangeRecordShape,
  policyHash,
  readScreenings,
  replacedSigners,
  type Screened,
  genesisRecordShape,
  signersOf,
  standingRuleId,
} from '@holdfast/policy'
import { at, known, last } from '@holdfast/units'
import { type Evidence, evidenceShape } from './evidence.ts'
import { verifyKeyRecord } from './key-record.ts'
import { mismatchOf } from './match-effects.ts'
import { digestToSign, type KeyStatement, openSigned, signatureStatementShape, type WitnessedStatement } from './statements.ts'
import { type ProvenBatch, readBatch } from './verify-batch.ts'
import { checkCovered, type ProvenStanding, readStandingOrder } from './verify-covered.ts'
import { checkDelegated } from './verify-delegated.ts'
import { readAbsence, readStanding, type Standing } from './verify-standing.ts'

/** Why a bundle proves nothing. `step` names the check that failed. */
export class EvidenceRefused extends Error {
  override name = 'EvidenceRefused'
  readonly step: string
  constructor(step: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.step = step
  }
}

export type EvidenceReport = {
  organisation: string
  fingerprint: string
  txid: string
  intent: SpendingIntent
  policy: Policy
  ruleId: string
  threshold: number
  approvedBy: string[]
  initiator: string
  signers: string[]
  witnesses: string[]
  logSize: number
  /** What screeners of the policy said of the order, where a rule may demand it. */
  screenings: { screener: string; provider: string; level: string; atMs: bigint }[]
  /** What stood for the signer that took no part. */
  standing: Standing
  /** The order in the words the approvers were shown. */
  rendering: (locale: Locale) => Rendering
  /** The standing order that covers it, in the words that its approvers were shown; undefined where people approved the order itself. */
  standingOrder: { name: string; version: bigint; rendering: (locale: Locale) => Rendering } | undefined
  /** The batch of which it pays lines, in the words that its approvers were shown, and which lines; undefined where people approved the order itself. */
  batch: { lines: readonly [first: number, last: number]; rendering: (locale: Locale) => Rendering } | undefined
}

/**
 * Checks an evidence bundle with nothing but its own bytes and, where given, the fingerprint the reader trusts.
 * Throws EvidenceRefused naming the step that failed. `codecFor` gives the codec of a CAIP-2 chain.
 */
export function verifyEvidence(bundle: Uint8Array, options: { codecFor(chain: string): ChainCodec | undefined; fingerprint?: string }): EvidenceReport {
  const evidence = step('bundle', () => decode(evidenceShape, bundle))
  const founding = step('genesis', () => readGenesis(evidence, options.fingerprint))
  const { genesis, fingerprint } = founding
  const intent = step('intent', () => readIntent(evidence, fingerprint))
  const policies = step('policy', () => policiesOf(evidence, founding, intent))
  const policy = last(policies)
  const covering = step('standing order', () => readStandingOrder(evidence, { founding, policies }))
  const batch = step('batch', () => readBatch(evidence))
  const signing = { evidence, founding, policy, intent, codecFor: options.codecFor }
  const screened = covering || !asksForScreening(policy) ? undefined : readScreened(signing, batch)
  const { tally, ruleId, threshold, approvals } = step('approvals', () =>
    covering ? approvedBefore(covering, intent) : readApprovals(evidence, policy, intent, { batch, screened: screened?.screened }),
  )
  const { txid, key } = step('transaction', () => readTransaction(evidence, founding, policies, intent, options.codecFor))
  const { size, witnesses } = step('log', () => readLog(evidence, founding, policy))
  const { signers, statements } = step('signers', () => readStatements(signing))
  if (covering) step('standing order', () => checkCoveredBy(covering, { evidence, founding, policies, intent, key, statements, codecFor: options.codecFor }))
  const absence = step('absence', () => readAbsence(evidence, { founding, policies }))
  const delegated = delegatedIn(approvals)
  step('delegation', () => checkDelegated(delegated, statements, policy))
  const standing = step('words', () => readStanding(evidence, statements, absence, { founding, policies, policy, covering, delegated }))
  const name = (id: Uint8Array) => findSpeaker(policy, id)?.name ?? toHex(id)
  return {
    organisation: genesis.name,
    fingerprint: toHex(fingerprint),
    txid,
    intent,
    policy,
    ruleId,
    threshold,
    approvedBy: tally.approvedBy.map((person) => (person.by ? `${person.by.name} for ${person.name}` : person.name)),
    initiator: covering ? covering.order.name : name(intent.initiator),
    signers,
    witnesses,
    logSize: size,
    screenings: screened?.shown ?? [],
    standing,
    rendering: (locale) => (batch ? renderIntent(intent, approvalContext(policy), locale) : wordsShown(approvals, intent, policy, locale)),
    batch: batch && { lines: batch.lines, rendering: (locale) => wordsShown(approvals, batch.order, policy, locale) },
    standingOrder: covering && {
      name: covering.order.name,
      version: covering.order.version,
      rendering: (locale) => renderIntent(covering.order, approvalContext(covering.policy), locale),
    },
  }
}

/** An order as its approvers read it: in words of an earlier version where theirs were other than the present ones, and else in these. */
function wordsShown(approvals: readonly Vote[], intent: Intent, policy: Policy, locale: Locale): Rendering {
  const context = approvalContext(policy)
  const inLocale = (each: Locale) => [...wordings(intent, context, each), ...earlierRenderings(intent, context, each)]
  // In one language words can be as they were that are others in the next: the first that fit are what was read.
  const readAt = approvals.map((each) => {
    const shown = (words: Rendering) => (delegationOf(each) ? renderFor(words, context.personName(seatOf(each)) ?? '') : words)
    return inLocale(each.locale as Locale).findIndex((words) => equalBytes(each.renderHash, renderHash(shown(words))))
  })
  return known(inLocale(locale)[Math.max(0, ...readAt)], 'the words of an order')
}

function step<T>(name: string, check: () => T): T {
  try {
    return check()
  } catch (cause) {
    throw new EvidenceRefused(name, `${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

function readGenesis(evidence: Evidence, trusted: string | undefined): Founding {
  const record = decode(genesisRecordShape, evidence.genesisRecord)
  if (record.kind !== 'founding') throw new Error('changes of the policy stand beside the founding document in a bundle, not in it')
  const fingerprint = checkGenesis(record)
  if (trusted !== undefined && trusted.toLowerCase() !== toHex(fingerprint))
    throw new Error(`the bundle is of organisation ${toHex(fingerprint)}, not of ${trusted}`)
  return { genesis: record.genesis, fingerprint }
}

function readIntent(evidence: Evidence, fingerprint: Uint8Array): SpendingIntent {
  const intent: Intent = decode(intentShape, evidence.intent)
  if (!isSpending(intent)) throw new Error('not an order to pay')
  if (!equalBytes(intent.genesis, fingerprint)) throw new Error('of another organisation')
  return intent
}

/** Every version of the policy from the first to the one the order names. */
function policiesOf(evidence: Evidence, founding: Founding, intent: SpendingIntent): Policy[] {
  const policies = [founding.genesis.policy]
  for (const change of evidence.policyChanges) {
    // What a bundle holds beyond what proves it would be believed unread.
    const current = last(policies)
    if (current.version === intent.policyVersion) throw new Error('policy changes beyond the version the order names')
    policies.push(checkPolicyChange(decode(policyChangeRecordShape, change), current, founding))
  }
  const policy = last(policies)
  if (policy.version !== intent.policyVersion || !equalBytes(policyHash(policy), intent.policyHash))
    throw new Error('the policy the order names does not follow from the genesis document')
  return policies
}

/** What the rules say of an order, or of the whole batch to those whom this part of it pays; and what people said of the one or the other. */
function readApprovals(
  evidence: Evidence,
  policy: Policy,
  part: SpendingIntent,
  { batch, screened }: { batch: ProvenBatch | undefined; screened: Screened | undefined },
) {
  const intent = batch?.order ?? part
  // What the signers signed was judged by the rules of its time: what is proven does not change when later orders are judged more strictly.
  const asking = { judged: 'then' as const, ...(screened && !isCancellation(part) && { screened }) }
  const outcomes = outcomesOfOrder(policy, batch?.judged ?? part, asking)
  const { approvals, machines } = readSpoken(evidence.approvals)
  // Which rules had used up their limits, and what time it was, only the signers know: of the rules that may have decided, one has to be met.
  const counted = outcomes.map((outcome) => countedBy(outcome, { policy, intent, approvals, machines }))
  const proven = counted.find(({ tally }) => tally?.met) ?? at(counted, 0)
  const { outcome, tally } = proven
  if (outcome.kind === 'deny') throw new Error(`the policy denies this order: ${outcome.reason}`)
  if (!tally?.met) throw new Error(`${tally?.missing} approval(s) missing, ${tally?.rejectedBy.length} rejection(s)`)
  return { tally, ruleId: outcome.rule.id, threshold: neededIn(outcome.steps), approvals }
}

/** What people said of the standing order: of the transfer they said nothing. */
const approvedBefore = ({ order, tally, threshold }: ProvenStanding, intent: SpendingIntent) => ({
  tally,
  ruleId: standingRuleId(order, originalOf(intent)),
  threshold: Number(threshold),
  approvals: [] as Vote[],
})

/** The transfer is what the standing order covers, by the keys that the bundle proves. */
function checkCoveredBy(
  covering: ProvenStanding,
  given: {
    evidence: Evidence
    founding: Founding
    policies: readonly Policy[]
    intent: SpendingIntent
    key: KeyStatement
    statements: readonly WitnessedStatement[]
    codecFor(chain: string): ChainCodec | undefined
  },
): void {
  const { evidence, founding, policies, intent, key, statements } = given
  const shown = evidence.kind === 'standing' ? evidence.standing.keyStatements : []
  const other = shown.length === 0 ? undefined : keyOf(shown, policies, founding)
  if (shown.length > 0 && !other) throw new Error('the three signers do not agree on the key of the paid address')
  const codec = known(given.codecFor(originalOf(intent).asset.chain), 'the codec by which the transaction was read')
  const { actions = [] } = codec.decode(codec.detach(evidence.raw).unsigned)
  checkCovered(covering, intent, { keys: other ? [key, other] : [key], codec, actions, signedAtMs: statements.map(({ atMs }) => atMs) })
}

/** The three spoke when the key was made or got new shares: one of them may have been replaced since, and another may speak with the next shares only. */
function keyOf(statements: Evidence['keyStatements'], policies: readonly Policy[], { genesis, fingerprint }: Founding): KeyStatement | undefined {
  const threes = policies.map((policy) => signersOf(genesis, policy))
  // Nearly every version has the signers of the one before.
  const apart = threes.filter((three, i) => i === 0 || replacedSigners(at(threes, i - 1), three).length > 0)
  return apart.map((three) => verifyKeyRecord(statements, three, fingerprint)).findLast((each) => each !== undefined)
}

function countedBy(outcome: Outcome, given: Pick<Parameters<typeof countApprovals>[0], 'policy' | 'intent' | 'approvals' | 'machines'>) {
  return {
    outcome,
    tally: outcome.kind === 'needs' ? countApprovals({ ...given, steps: outcome.steps, mayStop: outcome.mayStop, allowsEarlierWords: true }) : undefined,
  }
}

function readTransaction(
  evidence: Evidence,
  founding: Founding,
  policies: readonly Policy[],
  intent: SpendingIntent,
  codecFor: (chain: string) => ChainCodec | undefined,
): { txid: string; key: KeyStatement } {
  const { asset, from: payer } = originalOf(intent)
  const codec = codecFor(asset.chain)
  if (!codec) throw new Error(`no codec for ${asset.chain}`)
  const key = keyOf(evidence.keyStatements, policies, founding)
  if (!key) throw new Error('the three signers do not agree on the key')
  const { unsigned, txid, from } = codec.detach(evidence.raw)
  if (from !== payer) throw new Error(`signed by ${from}, not by the address of the order`)
  const effects = codec.decode(unsigned)
  const mismatch = mismatchOf(intent, effects, key, codec, evidence.kind === 'standing')
  if (mismatch) throw new Error(mismatch.reason)
  // Orders that were signed before policies pinned wallets stay proven; one against the pin never is.
  const wallets = faultOfTokenWallets(last(policies), effects)
  if (wallets?.kind === 'other') throw new Error(wallets.reason)
  return { txid, key }
}

function readLog(evidence: Evidence, { genesis, fingerprint }: Founding, policy: Policy): { size: number; witnesses: string[] } {
  const note = parseCheckpoint(evidence.checkpoint)
  const { size, root } = note.checkpoint
  if (!equalBytes(note.checkpoint.genesis, fingerprint)) throw new Error('the checkpoint is of another organisation')
  const absence = evidence.kind === 'alone' ? null : evidence.absence
  const standing = evidence.kind === 'standing' ? [evidence.standing] : []
  for (const { intent, approvals, logged } of [evidence, ...standing, ...(absence ? [absence] : [])])
    checkLogged([intent, ...approvals], logged, { fingerprint, size, root })
  if (evidence.kind === 'batch') checkLogged([evidence.batch.intent], [evidence.batch.logged], { fingerprint, size, root })
  const witnesses = signersOf(genesis, policy)
    .filter((signer) => verifyCosignature(note, `signer-${signer.party}`, signer.signKey))
    .map((signer) => signer.name)
  if (witnesses.length < Number(genesis.threshold))
    throw new Error(`the checkpoint has ${witnesses.length} signer's signature(s), ${genesis.threshold} are needed`)
  return { size, witnesses }
}

type Place = { fingerprint: Uint8Array; size: number; root: Uint8Array }

/** An order and its approvals stand in the log, in this order. */
function checkLogged(bodies: readonly Uint8Array[], places: Evidence['logged'], { fingerprint, size, root }: Place): void {
  if (places.length !== bodies.length) throw new Error('log entries missing')
  bodies.forEach((body, i) => {
    const logged = at(places, i)
    const entry = decode(entryShape, logged.entry)
    if (!equalBytes(entry.body, body) || entry.type !== (i === 0 ? 'intent' : 'approval')) throw new Error('a log entry holds something else')
    if (!equalBytes(entry.genesis, fingerprint) || entry.sequence !== logged.index) throw new Error('a log entry is out of place')
    if (!verifyInclusion({ leaf: leafHash(logged.entry), index: Number(logged.index), size, root, proof: logged.proof }))
      throw new Error('a log entry is not in the checkpoint')
  })
}

type Signing = { evidence: Evidence; founding: Founding; policy: Policy; intent: SpendingIntent; codecFor(chain: string): ChainCodec | undefined }

/** From when a signer judges a request until it says that it signed: so much older is what screeners said by then. */
const SIGNED_WITHIN_MS = 2 * 60_000

/** What screeners said, at the moments at which the signers say that they signed. Throws EvidenceRefused. */
function readScreened(signing: Signing, batch: ProvenBatch | undefined) {
  const { evidence, policy, intent } = signing
  const { statements } = step('signers', () => readStatements(signing))
  const decided = batch?.order ?? intent
  const about = { genesis: decided.genesis, intentHash: intentHash(decided) }
  const words = step('screening', () => readSpoken(evidence.approvals).screenings)
  const known = words.filter((word) => faultOfScreening(word, about, policy) === undefined)
  const screened: Screened = { said: readScreenings(known, about, policy), atMs: statements.map(({ atMs }) => Number(atMs) - SIGNED_WITHIN_MS) }
  const shown = known.map(({ machine, provider, level, screenedAtMs }) => {
    return { screener: findMachine(policy, machine)?.name ?? machine, provider, level, atMs: screenedAtMs }
  })
  return { screened, shown }
}

function readStatements({ evidence, founding: { genesis, fingerprint }, policy, intent, codecFor }: Signing): {
  signers: string[]
  statements: WitnessedStatement[]
} {
  const codec = known(codecFor(originalOf(intent).asset.chain), 'the codec by which the transaction was read')
  const { unsigned } = codec.detach(evidence.raw)
  const digests = codec.sighashes(unsigned).map(digestToSign)
  const names = new Set<string>()
  const statements: WitnessedStatement[] = []
  for (const signed of evidence.signatureStatements) {
    const signer = signersOf(genesis, policy).find((each) => each.party === signed.party)
    const statement = signer && openSigned(signatureStatementShape, signed, signer.signKey)
    if (!statement || statement.party !== signed.party || !equalBytes(statement.genesis, fingerprint))
      throw new Error('a statement that no signer of this organisation made')
    if (!equalBytes(statement.intentHash, intentHash(intent)) || !equalBytes(statement.unsigned, unsigned))
      throw new Error(`${signer.name} speaks of another transaction`)
    if (statement.policyVersion !== policy.version) throw new Error(`${signer.name} signed under policy version ${statement.policyVersion}`)
    if (statement.digests.length !== digests.length || !statement.digests.every((each, i) => equalBytes(each, at(digests, i))))
      throw new Error(`${signer.name} signed something else than what the transaction asks for`)
    names.add(signer.name)
    if (statement.kind === 'witnessed') statements.push(statement)
  }
  if (names.size < Number(genesis.threshold)) throw new Error(`${names.size} signer(s) say they signed, ${genesis.threshold} are needed`)
  return { signers: [...names], statements }
}
