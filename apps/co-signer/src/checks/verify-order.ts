import { type ChainCodec, ChainError } from '@holdfast/chain-core'
import { decode, EncodingFault, equalBytes } from '@holdfast/encoding'
import { type Act, actOf, type BatchIntent, faultOf, intentHash, intentShape, judgedAs, movesMoney, readSpoken, type SpendingIntent } from '@holdfast/intent'
import {
  ApprovalRefused,
  countApprovals,
  describesPinnedAssets,
  evaluateOrder,
  fillBySeats,
  findMachine,
  hasThirdForm,
  type Machine,
  machineOfParty,
  type Needs,
  partyOfMachine,
  policyHash,
  seatsByHuman,
  signersOf,
} from '@holdfast/policy'
import { mismatchOf, verifyKeyRecord } from '@holdfast/protocol'
import type { DecideRequest } from '@holdfast/protocol/co-signer-calls'
import type { Followed } from './follow.ts'
import { Refused } from './refused.ts'

/** By what an order is checked: the organisation as it is followed here, and this machine. */
export type Knows = { followed: Followed; machine: { id: string; publicKey: Uint8Array }; codecFor(chain: string): ChainCodec | undefined; nowMs: number }

/** What a co-signer decides: an order that a transaction carries out, or a batch of payments, with all of its lines at once. */
export type Decidable = SpendingIntent | BatchIntent

/** An order that this co-signer is asked about, and may speak of. `isEarly`: people before its step have not spoken yet. */
export type Asked = { intent: Decidable; hash: Uint8Array; act: Act; needs: Needs; isEarly: boolean }

/**
 * Checks everything about an order that can be known from its documents: of this organisation and under the version of the policy in force, open now, a step
 * of its rule is this machine's, every approval is valid and nobody rejected, and the bytes, where there are some, do what it says and nothing more. Believes
 * nothing of the server. Throws Refused.
 */
export function verifyOrder(request: DecideRequest, knows: Knows): Asked {
  const { followed, nowMs } = knows
  const machine = ownMachine(knows)
  const intent = readIntent(request.intent)
  // A batch is looked at whole: the same that the signers and the approval page judge.
  const payment = or('order', () => judgedAs(intent))
  if (!equalBytes(request.genesis, followed.fingerprint) || !equalBytes(intent.genesis, followed.fingerprint))
    throw new Refused('genesis', 'the order is of another organisation')
  checkPolicyOf(intent, followed)
  checkOpen(intent, nowMs)
  const fault = faultOf(intent) ?? (intent.kind === 'batch' ? undefined : faultOf(payment))
  if (fault !== undefined) throw new Refused('order', fault)
  if (!describesPinnedAssets(payment, followed.policy)) throw new Refused('order', 'the order describes an asset as the policy does not')
  const needs = needsOf(intent, request.rule, machine, knows)
  const isEarly = countPeople(request, intent, needs, machine, knows)
  checkBytes(request, intent, knows)
  return { intent, hash: intentHash(intent), act: actOf(payment), needs, isEarly }
}

/** Throws Refused unless an order is open by our own clock: asked before a decision and again before it is signed. */
export function checkOpen({ notBeforeMs, expiresAtMs }: Pick<Decidable, 'notBeforeMs' | 'expiresAtMs'>, nowMs: number): void {
  const now = BigInt(Math.floor(nowMs))
  if (now < notBeforeMs) throw new Refused('time', 'the order is not open yet')
  if (now > expiresAtMs) throw new Refused('time', 'the order has expired')
}

/** The machine as the policy names it. Throws Refused where it names none, another key, or one whose time is over. */
export function ownMachine({ followed: { policy }, machine: { id, publicKey }, nowMs }: Pick<Knows, 'followed' | 'machine' | 'nowMs'>): Machine {
  const named = hasThirdForm(policy) ? findMachine(policy, id) : undefined
  const version = `version ${policy.version} of the policy`
  if (named?.kind !== 'coSigner') throw new Refused('machine', `${version} names no co-signer ${id}`)
  if (!equalBytes(named.publicKey, publicKey)) throw new Refused('machine', `${version} names another key for the co-signer ${id}`)
  if (BigInt(Math.floor(nowMs)) >= named.expiresAtMs) throw new Refused('machine', `the time that ${version} gives the co-signer ${id} is over`)
  return named
}

function readIntent(encoded: Uint8Array): Decidable {
  const intent = or('order', () => decode(intentShape, encoded))
  if (!movesMoney(intent)) throw new Refused('order', 'a co-signer speaks of orders to pay, and of no others')
  return intent
}

function checkPolicyOf(intent: Decidable, { policy }: Followed): void {
  if (intent.policyVersion !== policy.version || !equalBytes(intent.policyHash, policyHash(policy)))
    throw new Refused('policy', `the order was made under version ${intent.policyVersion} of the policy; version ${policy.version} is in force here`)
}

/**
 * The rule by which an order is decided, one of whose steps is this machine's. What depends on the hour, or on what only signers know of a destination, they
 * check when they sign: here it is enough that the rule may decide.
 */
function needsOf(intent: Decidable, rule: string | null, machine: Machine, { followed: { policy } }: Knows): Needs {
  const outcome = or('rule', () => evaluateOrder(policy, intent.kind === 'batch' ? judgedAs(intent) : intent, { by: rule }))
  if (outcome.kind === 'deny') throw new Refused('rule', `the policy denies the order: ${outcome.reason}`)
  if (ownStep(outcome, machine) < 0) throw new Refused('rule', `no step of the rule ${outcome.rule.id} is this machine's`)
  return outcome
}

const ownStep = ({ steps }: Pick<Needs, 'steps'>, machine: Machine): number =>
  steps.findIndex(({ eligible }) => eligible.some((id) => equalBytes(id, partyOfMachine(machine))))

/** Whether people of the steps before this machine's are missing, or the word of the machine that asks. Throws Refused for an approval that does not count, and where somebody rejected. */
function countPeople(request: DecideRequest, intent: Decidable, { steps, mayStop }: Needs, machine: Machine, { followed, nowMs }: Knows): boolean {
  const { policy } = followed
  const spoken = or('approval', () => readSpoken(request.approvals))
  const tally = or('approval', () => countApprovals({ policy, intent, ...spoken, steps, mayStop, atMs: nowMs }))
  const [against] = tally.rejectedBy
  if (against) throw new Refused('approval', `${against.name} has rejected the order`)
  // What a machine is said to ask for, and has not signed that it does, was asked for by nobody yet.
  const lacksAsk = machineOfParty(policy, intent.initiator)?.kind === 'api' && !spoken.machines.some(({ decision }) => decision === 'ask')
  return lacksAsk || fillBySeats(steps.slice(0, ownStep({ steps }, machine)), seatsByHuman(tally.approvedBy)).missing > 0
}

/** The bytes, where they exist already, compared with the order as the signers will. */
function checkBytes({ unsigned, keyStatements }: DecideRequest, intent: Decidable, { followed, codecFor }: Knows): void {
  const { chain, contract } = judgedAs(intent).asset
  const codec = codecFor(chain)
  if (!codec) throw new Refused('bytes', `this co-signer cannot read transactions of ${chain}, where ${contract ?? 'its own coin'} would be moved`)
  if (unsigned === null) return
  // The bytes of a line are made, and compared by the signers, after the batch was approved.
  if (intent.kind === 'batch') throw new Refused('bytes', 'a batch has no bytes of its own')
  const key = verifyKeyRecord(keyStatements, signersOf(followed.genesis, followed.policy), followed.fingerprint)
  if (!key) throw new Refused('bytes', 'the signers do not say together which key pays')
  const effects = or('bytes', () => codec.decode(unsigned))
  const mismatch = or('bytes', () => mismatchOf(intent, effects, key, codec))
  if (mismatch) throw new Refused('bytes', mismatch.reason)
}

function or<T>(check: 'order' | 'approval' | 'rule' | 'bytes', act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if ([EncodingFault, ApprovalRefused, ChainError].some((each) => cause instanceof each)) throw new Refused(check, (cause as Error).message, { cause })
    throw cause
  }
}
