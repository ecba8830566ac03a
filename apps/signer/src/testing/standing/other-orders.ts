import type { StakeOrder } from '@holdfast/chain-core'
import { buildTransfer as buildEvm, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import { collector, encodeCollect, sweeper } from '@holdfast/chain-evm/collect'
import { codecFor } from '@holdfast/chain-registry/codec'
import { buildStake, buildTransfer } from '@holdfast/chain-tron/codec'
import { fromHex } from '@holdfast/encoding'
import { type BatchIntent, type ContractCallIntent, dueMs, lastMs, type StakeIntent, type StandingOrderIntent } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import type { SignRequest } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { batchOf, type LineOptions, lineRequest, LINES } from '../batch-of.ts'
import type { Log } from '../log-of.ts'
import { addressOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from '../order-of.ts'
import { BTC, CHAIN, COIN, DAY_MS, TOKEN, TON, TRX } from '../organisation-of.ts'
import { SCHEDULED, scheduleOf, standingOrderOf, TODAY, TREASURY_PATH } from '../standing-order-of.ts'
import { acme, ann, ben, cleo, key } from '../world-of.ts'
import { coinOrders, groupBatch, inventGroup, inventSweep } from './coin-orders.ts'

/* What a hostile server asks for beside sweeps and coins for fees on EVM networks: scheduled payments, calls of the collector, energy that is lent or rented,
 * sweeps on Bitcoin and TON, and lines of a batch.
 */

export const TREASURY = addressOf(key, TREASURY_PATH)
export const COLLECTED_MOST = 1_000n
export const [LENT_MOST, RENT_MOST, RENT_DAY_MOST, TRON_FEE_MOST] = [9_000_000n, 9_000_000n, 20_000_000n, 2_000_000n]
export const PROVIDER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const STRANGER = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const [PAYER, SHOP] = [
  [0n, 7n],
  [3n, 1n],
]

const tron = codecFor(TRX.chain)
const known = new Map<string, string>()
export function onTron(path: readonly bigint[]): string {
  const found = known.get(path.join('/')) ?? tron?.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path.map(Number))) ?? ''
  known.set(path.join('/'), found)
  return found
}
export const SHOP_ADDRESS = onTron(SHOP)

const id = (number: number) => new Uint8Array(16).fill(number)
const target = [{ chain: CHAIN, name: 'Treasury', keyId: key.keyId, path: TREASURY_PATH }]
const perDay = (maxCount: bigint, amounts: StandingOrderIntent['limits'][number]['amounts'] = []) => [
  { each: 'rule', lengthMs: BigInt(DAY_MS), amounts, maxTokens: null, maxCount, maxCents: null },
]
const tokens = [{ asset: TOKEN, atLeast: 10n, atMost: COLLECTED_MOST }]
const fees = [{ asset: TRX, max: TRON_FEE_MOST, maxShare: 10_000n }]
export const LOANS_MAX = 4n

/** What people approved further, in a version. */
export const otherOrders = (version: bigint): StandingOrderIntent[] => [
  scheduleOf({}, { id: id(0x54), version }),
  standingOrderOf({ id: id(0x55), version, does: { kind: 'allow', to: target }, assets: tokens }),
  standingOrderOf({ id: id(0x56), version, does: { kind: 'collect', to: target }, assets: tokens }),
  standingOrderOf({
    ...{ id: id(0x57), version, fees, limits: perDay(LOANS_MAX), assets: [{ asset: TRX, atLeast: 1_000_000n, atMost: LENT_MOST }] },
    does: { kind: 'delegate', to: [{ name: 'Shops', keyId: key.keyId, path: [3n] }], resources: ['energy'] },
  }),
  standingOrderOf({
    ...{ id: id(0x58), version, fees, assets: [{ asset: TRX, atLeast: 1_000_000n, atMost: RENT_MOST }] },
    ...{ does: { kind: 'rent', to: [{ chain: TRX.chain, address: PROVIDER }] }, limits: perDay(100n, [{ chain: TRX.chain, asset: '', max: RENT_DAY_MOST }]) },
  }),
  ...coinOrders(version),
]

const GROUPED = [BTC, TON]
/**
 * The batch that people approved, in the version that followed the one somebody stopped: one whose lines are paid one by one, one on Bitcoin and one on TON,
 * where one transaction pays them, and so on.
 */
export const batchIn = (version: bigint): BatchIntent => {
  const seeded = (text: string) => sha256(new TextEncoder().encode(`${text} ${version}`))
  const grouped = GROUPED[Number(version % 3n) - 1]
  if (grouped) return groupBatch(grouped, seeded)
  return batchOf({
    ...{ orderId: seeded('batch').slice(0, 16), nonce: seeded('nonce') },
    lines: LINES.map((line, i) => ({ ...line, key: seeded(`line ${i}`).slice(0, 16) })),
  })
}

/** How a server makes up what it asks for: `odd` most often answers the usual, and now and then one of the others. */
export type Inventing = {
  pick: <T>(from: readonly T[]) => T
  odd: <T>(usual: T, others: readonly T[]) => T
  step: number
  nowMs: number
  log: Log
}

export type Schedule = Extract<StandingOrderIntent['does'], { kind: 'schedule' }>
type Request = { kind: 'sign' } & SignRequest
type Made = { request: Request; own: SignRequest['own'] }
type Bytes = Parameters<typeof buildEvm>[0]

/** A request under one of the further standing orders, as no honest server would make it or as one would. */
export function inventOther(standing: StandingOrderIntent, inventing: Inventing): Made {
  const { kind } = standing.does
  if (kind === 'sweep') return inventSweep(standing, inventing)
  if (kind === 'schedule') return inventDue(standing, standing.does, inventing)
  if (kind === 'delegate') return inventLoan(standing, inventing)
  return kind === 'rent' ? inventRent(standing, inventing) : inventCall(standing, inventing)
}

const base = ({ step, nowMs, odd }: Inventing) => ({
  ...{ fingerprint: acme.fingerprint, policy: acme.policy, key, initiator: ann, nowMs },
  salt: odd(step, [step - 1]),
  nonce: BigInt(odd(step, [step - 1, 0])),
})
const asker = (standing: StandingOrderIntent, { odd }: Inventing) => odd(standing.id, [ann.person.id, id(0x51), id(0x58)])

function inventDue(standing: StandingOrderIntent, schedule: Schedule, inventing: Inventing): Made {
  const { odd, pick, log } = inventing
  const day = TODAY + pick([-1n, 0n, 0n, 1n, 2n])
  const changes = {
    ...{ initiator: asker(standing, inventing), to: odd(RECIPIENT_ADDRESS, [OTHER_ADDRESS, TREASURY]), memo: odd(null, ['1']) },
    notBeforeMs: dueMs(schedule, day) + odd(0n, [60_000n, -60_000n]),
    expiresAtMs: lastMs(schedule, day) + odd(0n, [1n]),
  }
  const amount = SCHEDULED.amount + odd(0n, [1n, -1n])
  const draft = draftOf({ ...base(inventing), asset: odd(TOKEN, [COIN]), amount, path: odd(SCHEDULED.path, [[0n, 8n]]), changes })
  draft.transaction.to = odd(draft.transaction.to, [OTHER_ADDRESS])
  draft.transaction.amount += odd(0n, [1n])
  return { request: requestOf({ key, draft, approvals: [], log }).request, own: [] }
}

type Call = { to: string; data: Uint8Array; signature: string | null }

/** Calls of the collector and about it, and those that only look like them. */
function inventedCall({ odd, pick }: Inventing, isAllowing: boolean): Call {
  const amount = odd(COLLECTED_MOST, [10n, 9n, 0n, COLLECTED_MOST + 1n, 2n ** 256n - 1n])
  const [whose, token] = [odd(TREASURY, [RECIPIENT_ADDRESS, OTHER_ADDRESS, addressOf(key, [1n, 4n])]), odd(String(TOKEN.contract), [OTHER_ADDRESS])]
  if (isAllowing) {
    const approving = 'approve(address,uint256)'
    const spending = (signature: string, spender: string) => ({ to: token, data: encodeFunctionCall(parseSignature(signature), [spender, amount]), signature })
    const others = [
      spending(approving, OTHER_ADDRESS),
      spending(approving, sweeper.addressOf(TREASURY)),
      spending('transfer(address,uint256)', OTHER_ADDRESS),
      spending('increaseAllowance(address,uint256)', collector.addressOf(TREASURY)),
    ]
    return odd(spending(approving, collector.addressOf(whose)), others)
  }
  const isWhole = pick([true, false])
  // A call that takes nothing from somebody has no bytes.
  const pulls = [{ source: odd(OTHER_ADDRESS, [TREASURY, addressOf(key, PAYER)]), amount: amount === 0n ? 2n ** 128n : amount }]
  const signature = isWhole ? 'collectWhole(address,address[],uint256[])' : 'collect(address,address[],uint256[])'
  const contract = odd(collector.addressOf(whose), [sweeper.addressOf(TREASURY), OTHER_ADDRESS])
  const deployments = [collector.deploymentOf(whose), sweeper.deploymentOf(TREASURY)].map(({ contract: to, data }) => ({ to, data, signature: null }))
  return odd<Call>({ to: contract, data: encodeCollect({ token, pulls, isWhole }), signature }, deployments)
}

function inventCall(standing: StandingOrderIntent, inventing: Inventing): Made {
  const { odd, log } = inventing
  const isAllowing = odd(standing.does.kind === 'allow', [standing.does.kind !== 'allow'])
  const call = inventedCall(inventing, isAllowing)
  const draft = draftOf({ ...base(inventing), asset: COIN, amount: odd(0n, [1n]), path: odd(PAYER, [[2n, 7n], TREASURY_PATH]) })
  const { memo: _, screening: __, ...rest } = draft.intent
  const intent: ContractCallIntent = { ...rest, kind: 'contractCall', ...call, initiator: asker(standing, inventing) }
  const { to, data } = odd(call, [inventedCall(inventing, isAllowing)])
  const transaction: Bytes = { ...draft.transaction, to, data, amount: intent.amount, gasLimit: 300_000n, maxFeePerGas: odd(10_000_000_000n, [10n ** 14n]) }
  return { request: requestOf({ key, draft: { intent, transaction }, approvals: [], log, unsigned: buildEvm(transaction) }).request, own: [] }
}

const frameOf = ({ nowMs, step }: Inventing) => ({
  refBlock: { bytes: fromHex('8f3a'), hash: fromHex('b2f1c0d94e5a6177') },
  timestampMs: BigInt(nowMs + step),
  expirationMs: BigInt(nowMs + 60_000),
})
const ofTron = (from: string) => ({ from, feeAsset: TRX, slotRule: 'expiry' })

function inventLoan(standing: StandingOrderIntent, inventing: Inventing): Made {
  const { odd, log } = inventing
  const path = odd(PAYER, [[1n, 7n]])
  const to = odd(SHOP_ADDRESS, [STRANGER, onTron([4n, 1n]), PROVIDER])
  const changes = { ...ofTron(onTron(path)), to, feeCap: odd(TRON_FEE_MOST, [TRON_FEE_MOST + 1n]), initiator: asker(standing, inventing) }
  const amount = odd(5_000_000n, [LENT_MOST, LENT_MOST + 1n, 999_999n])
  const { intent: drafted, transaction } = draftOf({ ...base(inventing), asset: TRX, amount, path, changes })
  const { memo: _, screening: __, ...rest } = drafted
  const action = odd('delegate', ['undelegate'])
  const intent: StakeIntent = { ...rest, kind: 'stake', action, resource: odd('energy', ['bandwidth']), lockBlocks: action === 'delegate' ? odd(0n, [1n]) : 0n }
  const asked = { action, resource: odd(intent.resource, ['bandwidth']), amount: amount + odd(0n, [1n]), lockBlocks: intent.lockBlocks } as StakeOrder
  const unsigned = buildStake({ ...frameOf(inventing), owner: intent.from, ...asked, receiver: odd(to, [STRANGER]) })
  const { request } = requestOf({ key, draft: { intent, transaction }, approvals: [], log, unsigned })
  const place = { address: to, keyId: key.keyId, path: SHOP }
  return { request, own: odd([place], [[], [{ ...place, address: STRANGER }]]) }
}

function inventRent(standing: StandingOrderIntent, inventing: Inventing): Made {
  const { odd, log } = inventing
  const path = odd(PAYER, [[1n, 7n]])
  const to = odd(PROVIDER, [STRANGER, SHOP_ADDRESS])
  const changes = {
    ...ofTron(onTron(path)),
    to,
    memo: odd(null, ['1']),
    feeCap: odd(TRON_FEE_MOST, [TRON_FEE_MOST + 1n]),
    initiator: asker(standing, inventing),
  }
  const amount = odd(6_000_000n, [RENT_MOST, RENT_MOST + 1n, 999_999n])
  const draft = draftOf({ ...base(inventing), asset: TRX, amount, path, changes })
  const paid = { to: odd(to, [STRANGER]), amount: amount + odd(0n, [1n]) }
  const unsigned = buildTransfer({ ...frameOf(inventing), from: draft.intent.from, ...paid, asset: { chain: TRX.chain, contract: null }, feeLimit: 0n })
  return { request: requestOf({ key, draft, approvals: [], log, unsigned }).request, own: [] }
}

/** A line of the batch that people approved, with the words of those who did, or of others. */
export function inventLine(batch: BatchIntent, inventing: Inventing): Made {
  if (batch.together > 1n) return inventGroup(batch, inventing)
  const { odd, pick, step, log } = inventing
  const number = pick([0, 1, 2])
  const other = batchOf({ ...batch, nonce: new Uint8Array(32).fill(9) })
  const { request } = lineRequest({
    ...{ batch, number, log, nonce: BigInt(odd(step, [step - 1, 0])) },
    approvers: odd([ben, cleo], [[ben], [ann, ben], [ben, ben]]),
    altered: odd<NonNullable<LineOptions['altered']>>({}, [{ amount: 9_999n }, { to: TREASURY }, { orderId: id(0x98) }, { initiator: id(0x51) }]),
    paid: odd<NonNullable<LineOptions['paid']>>({}, [{ amount: 9_999n }, { to: TREASURY }]),
  })
  const isOther = odd(false, [true])
  return { request: isOther ? { ...request, batch: lineRequest({ batch: other, number, log }).request.batch } : request, own: [] }
}
