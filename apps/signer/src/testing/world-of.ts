import { codecFor } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { type Approval, intentHash, type TransferIntent, type Vote } from '@holdfast/intent'
import { PROTOCOL } from '@holdfast/mpc'
import type { SignRequest } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Refused } from '../checks/refused.ts'
import { applyEvent, Register, slotKeyOf } from '../state/register.ts'
import type { SignerView } from '../checks/verify.ts'
import type { Log } from './log-of.ts'
import { type Draft, draftOf, type OrderOptions, type PublicKey, requestOf } from './order-of.ts'
import { ART, BTC, CHAIN, DAY_MS, NOW_MS, organisationOf, type TestOrganisation, TOKEN, TON } from './organisation-of.ts'
import { approve, type ApprovalOptions, type Member, makeMember } from './people.ts'

const seed = (text: string) => sha256(new TextEncoder().encode(text))

export const signSecrets = [1, 2, 3].map((party) => seed(`signer ${party}`))
export const [ann, ben, cleo, outsider] = ['Ann', 'Ben', 'Cleo', 'Olga'].map(makeMember) as [Member, Member, Member, Member]
const everyone = [ann, ben, cleo].map((member) => member.person.id)
/** What the rules of the test organisation allow in one order, and in a day for the chain's own coin. */
export const ORDER_MAX = 1_000_000_000_000n
export const DAY_MAX = 3n * ORDER_MAX
/** Tokens of the collection that may leave in a day. */
export const ART_DAY_MAX = 2n

/** The people of a rule under which everybody asks and any two of the others approve. */
export const anyTwo = { initiators: everyone, approvers: everyone, threshold: 2n }

/** An organisation of Ann, Ben and Cleo, with what a test wants of its policy. */
export function organisationWith(policy: NonNullable<Parameters<typeof organisationOf>[0]['policy']> = {}): TestOrganisation {
  return organisationOf({ members: [ann, ben, cleo], signKeys: signSecrets.map((secret) => ed25519.getPublicKey(secret)), policy })
}

const rule = { kind: 'transfer' as const, chain: CHAIN, maxAmount: ORDER_MAX, ...anyTwo }
export const acme = organisationWith({
  rules: [
    { ...rule, id: 'coin', asset: '', window: { lengthMs: BigInt(DAY_MS), maxAmount: DAY_MAX } },
    { ...rule, id: 'token', asset: TOKEN.contract!, window: null },
    { ...rule, id: 'btc', chain: BTC.chain, asset: '', window: null },
    { ...rule, id: 'ton', chain: TON.chain, asset: '', window: null },
    { ...rule, id: 'art', asset: ART.contract!, maxAmount: 1n, window: { lengthMs: BigInt(DAY_MS), maxAmount: ART_DAY_MAX } },
  ],
})

/** The check at which `verify` refuses, or `signed`. */
export function checkOf(verify: () => unknown): string {
  try {
    verify()
    return 'signed'
  } catch (cause) {
    if (cause instanceof Refused) return cause.check
    throw cause
  }
}

/** A key as the register knows it; nobody has its shares. */
export const key: PublicKey = {
  keyId: seed('key id'),
  epoch: 0n,
  protocol: PROTOCOL,
  publicKey: secp256k1.getPublicKey(seed('key')),
  chainCode: seed('chain code'),
}

/** The register of a signer that has pinned the organisation, made the key and signed the log's newest checkpoint. */
export function registerOf(organisation: TestOrganisation, log: Log): Register {
  const register = new Register()
  const { size, root } = log.checkpoint
  applyEvent(register, { kind: 'pinned', record: organisation.record }, NOW_MS, 1)
  applyEvent(register, { kind: 'keyMade', ...key, protocol: 'dkls23/v1', curve: 'secp256k1' }, NOW_MS, 1)
  applyEvent(register, { kind: 'checkpointSigned', size: BigInt(size), root }, NOW_MS, 1)
  return register
}

/** Brings the register to where this signer has begun to sign an order in its slot: what is about the order may follow. */
export function beginOrder(register: Register, order: Parameters<typeof intentHash>[0] & { asset: { chain: string }; from: string }, slot: bigint): void {
  const hash = toHex(intentHash(order))
  const slotKey = slotKeyOf({ chain: order.asset.chain, from: order.from, slot })
  register.bindings.set(hash, { slotKey, committed: true, bytes: null, cancelled: false, before: null })
  register.slots.set(slotKey, hash)
}

export type Attempt = { request: { kind: 'sign' } & SignRequest; view: SignerView }

/** Where a test may put its hand in: each is called with what an honest server has made so far. */
export type Hooks = {
  order?: Partial<OrderOptions>
  approvers?: Member[]
  approval?: (member: Member, draft: Draft) => ApprovalOptions
  /** Before anybody approves: people see and sign it. */
  proposed?: (intent: TransferIntent) => Partial<TransferIntent>
  /** After the approvals were given. */
  approved?: (approvals: Approval[], draft: Draft) => Vote[]
  altered?: (intent: TransferIntent) => Partial<TransferIntent>
  transaction?: (transaction: Draft['transaction']) => Partial<Draft['transaction']>
  request?: (request: SignRequest, log: Log) => Partial<SignRequest>
  register?: (register: Register, attempt: Attempt, log: Log) => void
  view?: (view: SignerView) => Partial<SignerView>
  organisation?: TestOrganisation
}

/** An attempt to have an order signed: honest but for what the hooks change. */
export function attemptOf(hooks: Hooks = {}): Attempt {
  const organisation = hooks.organisation ?? acme
  const { policy, fingerprint } = organisation
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, ...hooks.order })
  draft.intent = { ...draft.intent, ...hooks.proposed?.(draft.intent) }
  const given = (hooks.approvers ?? [ben, cleo]).map((member) => approve(member, draft.intent, policy, hooks.approval?.(member, draft)))
  const approvals = hooks.approved?.(given, draft) ?? given
  draft.intent = { ...draft.intent, ...hooks.altered?.(draft.intent) }
  draft.transaction = { ...draft.transaction, ...hooks.transaction?.(draft.transaction) }
  const { request, log } = requestOf({ key, draft, approvals })
  // The log is the organisation's own, whatever the order says.
  const changed = { ...request, genesis: fingerprint, ...hooks.request?.({ ...request, genesis: fingerprint }, log) }
  const register = registerOf(organisation, log)
  const view: SignerView = { party: 1, register, nowMs: NOW_MS, codecFor }
  const attempt = { request: changed, view: { ...view, ...hooks.view?.(view) } }
  hooks.register?.(register, attempt, log)
  return attempt
}
