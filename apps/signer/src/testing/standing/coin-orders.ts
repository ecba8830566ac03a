import { draftTransfer, finishDraft } from '@holdfast/chain-bitcoin/codec'
import { previousOf, recipient as STRANGER, second, third } from '@holdfast/chain-bitcoin/testing'
import { POSTAGE_MAX } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { buildTransfer, requireAddress, requireNetwork, type TransferDraft, walletFeeMax } from '@holdfast/chain-ton/codec'
import { alterOrder, ALTERATIONS } from '@holdfast/chain-ton/testing'
import { type Asset, type BatchIntent, type BatchPart, intentHash, partOf, type StandingOrderIntent } from '@holdfast/intent'
import { derivePublicKey, FROST_ED25519 } from '@holdfast/mpc'
import type { SignRequest } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { batchOf } from '../batch-of.ts'
import { coinsOf } from '../bitcoin-order-of.ts'
import { draftOf, type PublicKey, requestOf } from '../order-of.ts'
import { BTC, DAY_MS, TON } from '../organisation-of.ts'
import { approve } from '../people.ts'
import { standingOrderOf, TREASURY_PATH } from '../standing-order-of.ts'
import { acme, ann, ben, cleo, key } from '../world-of.ts'
import type { Inventing } from './other-orders.ts'

/* What a hostile server asks for where coins are joined or a wallet contract sends messages: sweeps on Bitcoin and on TON, and groups of lines of a batch. */

/** The organisation's key of the other curve. */
export const tonKey: PublicKey = {
  ...key,
  keyId: key.keyId.map((byte) => byte ^ 2),
  protocol: FROST_ED25519,
  publicKey: ed25519.getPublicKey(new Uint8Array(32).fill(5)),
}
export const [COINS_LEAST, COINS_MOST, COINS_FEE_MOST] = [20_000n, 10_000_000n, 20_000n]
/** More of them in a day than of others, so that a walk has enough of them. */
export const COIN_SWEEPS_MAX = 30n
/** The fee of TON leaves room for further messages, so that nothing but what they pay keeps them out. */
export const [TON_LEAST, TON_MOST, TON_FEE_MOST] = [1_000_000_000n, 100_000_000_000n, walletFeeMax(Array.from({ length: 5 }, () => ({ to: '', memo: '1' })))]

const PAYER = [0n, 7n]
const NEIGHBOUR = [0n, 8n]
const ELSEWHERE = [2n, 1n]
const network = requireNetwork(TON.chain)
const keyOf = ({ chain }: Pick<Asset, 'chain'>): PublicKey => (chain === TON.chain ? tonKey : key)
const known = new Map<string, { publicKey: Uint8Array; address: string }>()

function placeOf(asset: Pick<Asset, 'chain'>, path: readonly bigint[]): { publicKey: Uint8Array; address: string } {
  const name = `${asset.chain} ${path.join('/')}`
  const { protocol, publicKey: root, chainCode } = keyOf(asset)
  const made = () => {
    const publicKey = derivePublicKey(protocol, root, chainCode, path.map(Number))
    return { publicKey, address: codecFor(asset.chain)?.addressFromKey(publicKey) ?? '' }
  }
  const found = known.get(name) ?? made()
  known.set(name, found)
  return found
}
/** The organisation's address of a path on Bitcoin or TON. */
export const ownPlace = (asset: Pick<Asset, 'chain'>, path: readonly bigint[]): string => placeOf(asset, path).address

const id = (number: number) => new Uint8Array(16).fill(number)
const sweepOf = (asset: Asset) => ({
  does: { kind: 'sweep' as const, to: [{ kind: 'own' as const, chain: asset.chain, name: 'Treasury', keyId: keyOf(asset).keyId, path: TREASURY_PATH }] },
  sources: [{ name: 'Deposits', keyId: keyOf(asset).keyId, path: [0n] }],
  limits: [{ each: 'rule', lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount: COIN_SWEEPS_MAX, maxCents: null }],
})

/** How many of the last standing orders of a walk these are. */
export const COIN_ORDERS = 2

/** What people approved where coins or messages are moved, in a version. */
export const coinOrders = (version: bigint): StandingOrderIntent[] => [
  standingOrderOf({
    ...{ id: id(0x59), version, ...sweepOf(BTC), assets: [{ asset: BTC, atLeast: COINS_LEAST, atMost: COINS_MOST }] },
    fees: [{ asset: BTC, max: COINS_FEE_MOST, maxShare: 10_000n }],
  }),
  standingOrderOf({
    ...{ id: id(0x5a), version, ...sweepOf(TON), assets: [{ asset: TON, atLeast: TON_LEAST, atMost: TON_MOST }] },
    fees: [{ asset: TON, max: TON_FEE_MOST, maxShare: 10_000n }],
  }),
]

type Made = { request: { kind: 'sign' } & SignRequest; own: SignRequest['own'] }
type Payment = { to: string; amount: bigint; memo?: string }

/** A sweep of coins or of TON, as no honest server would ask for it, or as one would. */
export function inventSweep(standing: StandingOrderIntent, inventing: Inventing): Made {
  const { odd, step, nowMs, log } = inventing
  const isTon = standing.id[0] === 0x5a
  const asset = isTon ? TON : BTC
  const path = odd(PAYER, [NEIGHBOUR, ELSEWHERE, TREASURY_PATH])
  const to = odd(ownPlace(asset, TREASURY_PATH), [strangerOf(asset), ownPlace(asset, [1n, 4n]), ownPlace(asset, NEIGHBOUR)])
  const [least, usual, most, feeMost] = isTon ? [TON_LEAST, 5n * TON_LEAST, TON_MOST, TON_FEE_MOST] : [COINS_LEAST, 120_000n, COINS_MOST, COINS_FEE_MOST]
  const amount = odd(usual, [least, least - 1n, most, most + 1n])
  const changes = {
    ...{ from: ownPlace(asset, path), to, feeAsset: asset, keyId: keyOf(asset).keyId },
    feeCap: odd(feeMost, [feeMost + 1n, 10n * feeMost, feeMost / 2n]),
    slotRule: odd(isTon ? 'wallet-seqno' : 'anchor-input', ['account-nonce']),
    initiator: odd(standing.id, [ann.person.id, id(0x51), id(isTon ? 0x59 : 0x5a)]),
    memo: odd(null, ['1']),
  }
  const base = { fingerprint: acme.fingerprint, policy: acme.policy, key: keyOf(asset), initiator: ann, nowMs }
  const draft = draftOf({ ...base, salt: odd(step, [step - 1]), asset, amount, path, changes })
  const unsigned = bytesOf(asset, path, [{ to, amount }], inventing)
  const { request } = requestOf({ key: keyOf(asset), draft, approvals: [], log, unsigned })
  const place = { address: to, keyId: keyOf(asset).keyId, path: odd(TREASURY_PATH, [[1n, 4n]]) }
  return { request, own: odd([place], [[]]) }
}

export const strangerOf = ({ chain }: Pick<Asset, 'chain'>): string =>
  chain === TON.chain ? (codecFor(chain)?.canonicalAddress('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N') ?? '') : STRANGER

/** Bytes that pay what is ordered, or something else, from where it is ordered, or from elsewhere. */
function bytesOf(asset: Asset, path: readonly bigint[], ordered: readonly Payment[], inventing: Inventing): Uint8Array {
  const payments = inventedPayments(ordered, ownPlace(asset, NEIGHBOUR), inventing)
  return asset.chain === TON.chain ? messages(path, payments, inventing) : joined(path, payments, inventing)
}

/** Who is paid: those that are ordered, or somebody else, one more, one less, another amount, or in another sequence. */
function inventedPayments(ordered: readonly Payment[], other: string, { odd }: Inventing): readonly Payment[] {
  const [first, ...rest] = ordered
  if (!first) return ordered
  const changed = (change: Partial<Payment>) => [{ ...first, ...change }, ...rest]
  return odd(ordered, [
    changed({ to: other }),
    changed({ amount: first.amount + 1n }),
    changed({ amount: first.amount - 1n }),
    [...ordered, { to: other, amount: 1_000n }],
    [...changed({ amount: first.amount - 1_000n }), { to: other, amount: 1_000n }],
    rest.length > 0 ? rest : ordered,
    ordered.toReversed(),
  ])
}

const sumOf = (payments: readonly Payment[]) => payments.reduce((sum, { amount }) => sum + amount, 0n)

/** Some steps in a row ask for the same coins or the same seqno: whoever has them first keeps others from them. */
const turnOf = (step: number): number => Math.floor(step / 10)

/** Coins joined that pay somebody, some of which may carry an inscription, are another address's, or were asked for before. */
function joined(path: readonly bigint[], payments: readonly Payment[], { odd, step }: Inventing): Uint8Array {
  const half = sumOf(payments) / 2n
  const spent = odd(path, [NEIGHBOUR, ELSEWHERE])
  const amounts = odd([half, half, 30_000n], [[2n * half, 30_000n, 546n], [half, half, 30_000n, POSTAGE_MAX], [2n * half + 200_000n]])
  const made = coinsOf(ownPlace(BTC, spent), amounts, odd(turnOf(step), [step, 0]) * 8)
  const change = odd<{ address: string; path: number[] } | null>(null, [
    { address: STRANGER, path: spent.map(Number) },
    { address: ownPlace(BTC, ELSEWHERE), path: ELSEWHERE.map(Number) },
    { address: ownPlace(BTC, NEIGHBOUR), path: NEIGHBOUR.map(Number) },
  ])
  const coins = made.map(({ coin }) => coin)
  const order = { chain: BTC.chain, from: ownPlace(BTC, spent), payments, satPerKvb: odd(2_000n, [300_000n, 1_000n]), feeCap: 10n ** 12n, coins }
  return finishDraft(draftTransfer({ ...order, required: coins, ...(change && { change }) }), previousOf(made))
}

/** What a server does to the comments of what it was asked to pay: adds one, drops all, gives each the next one's, or the first one's to all. */
const COMMENTS = ['added', 'dropped', 'swapped', 'same'] as const

function commented(payments: readonly Payment[], how: (typeof COMMENTS)[number] | null): readonly Payment[] {
  const bare = payments.map(({ to, amount }) => ({ to, amount }))
  const given = (memoOf: (i: number) => string | undefined) =>
    bare.map((each, i) => {
      const memo = memoOf(i)
      return memo === undefined ? each : { ...each, memo }
    })
  switch (how) {
    case null:
      return payments
    case 'added':
      return given((i) => payments[i]?.memo ?? '1')
    case 'dropped':
      return bare
    case 'swapped':
      return given((i) => payments[(i + 1) % payments.length]?.memo)
    case 'same':
      return given(() => payments[0]?.memo)
  }
}

/** What the wallet contract of an address is to send, which may be that of another, end late or have ended, or be no order that the codec writes. */
function messages(path: readonly bigint[], payments: readonly Payment[], { odd, step, nowMs }: Inventing): Uint8Array {
  const validForMs = odd(600_000, [-1_000, 10 * 86_400_000])
  const draft: TransferDraft = {
    ...{ publicKey: placeOf(TON, odd(path, [NEIGHBOUR, ELSEWHERE])).publicKey, to: payments[0]?.to ?? '', asset: { chain: TON.chain, contract: null } },
    ...{ amount: sumOf(payments), payments: commented(payments, odd(null, COMMENTS)) },
    ...{ seqno: BigInt(odd(turnOf(step), [step, 0])), validUntil: BigInt(nowMs + validForMs) / 1_000n },
  }
  const unsigned = buildTransfer(draft, network)
  const how = odd(null, ALTERATIONS)
  return how ? alterOrder(unsigned, how, requireAddress(strangerOf(TON), false)) : unsigned
}

const onTon = (number: number) => codecFor(TON.chain)?.canonicalAddress(`0:${number.toString(16).padStart(64, '77')}`) ?? ''

/** What the groups of a batch pay, all of them by one transaction. */
const GROUPS: Record<string, { lines: readonly Payment[]; feeCap: bigint; slotRule: string }> = {
  [BTC.chain]: { lines: [STRANGER, second, third].map((to, i) => ({ to, amount: 50_000n + BigInt(i) })), feeCap: COINS_FEE_MOST, slotRule: 'anchor-input' },
  [TON.chain]: {
    lines: [1, 2, 3].map((i) => ({ to: onTon(i), amount: 1_000_000_000n + BigInt(i), ...(i < 3 && { memo: `1004${i}` }) })),
    feeCap: TON_FEE_MOST,
    slotRule: 'wallet-seqno',
  },
}

/** A batch whose lines are paid by one transaction. */
export function groupBatch(asset: Asset, seeded: (text: string) => Uint8Array): BatchIntent {
  const { lines = [], feeCap = 0n, slotRule = '' } = GROUPS[asset.chain] ?? {}
  return batchOf({
    ...{ orderId: seeded('batch').slice(0, 16), nonce: seeded('nonce'), keyId: keyOf(asset).keyId, from: ownPlace(asset, PAYER), path: PAYER },
    ...{ asset, feeAsset: asset, feeCap, slotRule, together: BigInt(lines.length) },
    lines: lines.map(({ memo = null, ...line }, i) => ({ ...line, memo, key: seeded(`line ${i}`).slice(0, 16) })),
  })
}

/** The lines of such a batch, by one transaction, with the words of those who approved it, or of others. */
export function inventGroup(batch: BatchIntent, inventing: Inventing): Made {
  const { odd, log } = inventing
  const { asset } = batch
  const part = partOf(batch, 0, intentHash(batch))
  const payments = batch.lines.map(({ to, amount, memo }) => ({ to, amount, ...(memo !== null && { memo }) }))
  const outputs = part.kind === 'transfer' ? [] : [...part.outputs]
  const stranger = { to: ownPlace(asset, NEIGHBOUR), amount: 1_000n, ...(part.kind === 'notedPayout' && { memo: null }) }
  const altered = odd<object>({}, [
    { amount: 9_999n },
    { to: stranger.to },
    { orderId: id(0x98) },
    { initiator: id(0x51) },
    { outputs: [...outputs, stranger] },
    { outputs: outputs.map((each) => ('memo' in each ? { ...each, memo: outputs[0] && 'memo' in outputs[0] ? outputs[0].memo : null } : each)) },
  ])
  const approvers = odd([ben, cleo], [[ben], [ann, ben], [ben, ben]])
  const approvals = approvers.map((member) => approve(member, batch, acme.policy))
  const draft = { intent: { ...part, ...altered } as BatchPart, transaction: {} as never }
  const unsigned = bytesOf(asset, PAYER, payments, inventing)
  return { request: requestOf({ key: keyOf(asset), draft, approvals, batch, log, unsigned }).request, own: [] }
}
