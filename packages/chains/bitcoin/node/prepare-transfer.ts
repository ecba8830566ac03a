import { BuildError, type CancelOrder, type ChainId, ChainError, type FeeTier, readBrc20Asset, type TransferOrder } from '@holdfast/chain-core'
import { equalBytes, fromHex } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { effectsOf, readUnsigned } from '../codec/bitcoin-codec.ts'
import type { ListedCoin } from '../codec/coin-locks.ts'
import { draftJoin, draftTransfer, finishDraft, previousNeeded } from '../codec/draft-transfer.ts'
import type { InscribedTransfer, InscriptionProof } from '../codec/prove-inscription.ts'
import { networkOf } from '../codec/networks.ts'
import { assertRoom, ProofsTooLargeError, serializePsbt, type SpentCoin, transactionOf, type UnsignedTransaction, withoutProof } from '../codec/psbt.ts'
import { cancelTransfer, speedUpTransfer } from '../codec/replace-transfer.ts'
import { nameOf } from '../codec/select-coins.ts'
import { parseWithWitnesses, txidOf, withoutWitnesses } from '../codec/transaction.ts'
import { requireScript } from '../codec/address.ts'
import { dustLimit, feeFor } from '../codec/size.ts'
import { sizeOf, sizing } from '../codec/steps.ts'
import { hexData } from './answers.ts'
import { type Rates, readIncrementalRate, readRates } from './estimate-fee.ts'
import { readBlockHash } from './read-block.ts'
import { readDescendantFees } from './read-pending.ts'
import { NodeRefused, type Rpc } from './rpc.ts'

type Wanted = Pick<TransferOrder, 'from' | 'to' | 'asset' | 'amount' | 'payments' | 'lockedOutpoints' | 'coins' | 'postages' | 'inscribes'>

const NO_CAP = 21_000_000n * 100_000_000n

/**
 * What each tier would take of the coins that are there. Where they do not suffice beside the fee, a payment of all of them with change; where the payment is
 * too small for any, of one.
 */
export function tiersOf(chain: ChainId, rates: Rates, wanted: Wanted, coins: readonly ListedCoin[]): [FeeTier, FeeTier, FeeTier] {
  const tier = (satPerKvb: bigint): FeeTier => ({ feeMax: feeOf(chain, wanted, coins, satPerKvb), parameters: { satPerKvb } })
  return [tier(rates[0]), tier(rates[1]), tier(rates[2])]
}

const ratesOf = (tiers: NonNullable<TransferOrder['quoted']>): Rates =>
  tiers.map(({ parameters }) => known(parameters.satPerKvb, 'the rate of a quoted fee')) as Rates

function feeOf(chain: ChainId, wanted: Wanted, coins: readonly ListedCoin[], satPerKvb: bigint): bigint {
  try {
    return effectsOf(networkOf(chain), draftOf(chain, wanted, coins, satPerKvb, NO_CAP)).feeMax
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    const script = (address: string) => requireScript(networkOf(chain), address)
    const [from, payments] = [script(wanted.from), paymentsOf(wanted).map(({ to, amount }) => ({ script: script(to), amount }))]
    const isDust = payments.some((each) => each.amount < dustLimit(each.script))
    const count = isDust ? 1 : Math.max(1, spendable(wanted, coins).length)
    return feeFor(sizing(from, newTransfer(wanted))(count, [...payments.map((each) => each.script), from]), satPerKvb)
  }
}

function draftOf(chain: ChainId, wanted: Wanted, coins: readonly ListedCoin[], satPerKvb: bigint, feeCap: bigint) {
  const [payments, required, inscribes] = [paymentsOf(wanted), requiredOf(wanted, coins), newTransfer(wanted)]
  const order = { chain, from: wanted.from, payments, required, coins: spendable(wanted, coins).map(withoutProof), satPerKvb, feeCap }
  return draftTransfer(inscribes ? { ...order, inscribes } : order)
}

/** The BRC-20 transfer that an order has inscribed on the way, where it does. */
function newTransfer({ asset, amount, inscribes }: Pick<Wanted, 'asset' | 'amount' | 'inscribes'>): InscribedTransfer | undefined {
  const ticker = readBrc20Asset(asset.contract)
  return inscribes === undefined || ticker === undefined ? undefined : { ticker, amount }
}

/** The coins that may be spent: those in a block that nobody locked. */
const spendable = ({ lockedOutpoints = [] }: Pick<Wanted, 'lockedOutpoints'>, coins: readonly ListedCoin[]) =>
  coins.filter((coin) => coin.height !== null && !lockedOutpoints.includes(nameOf(coin)))

/** What is paid in coin: with tokens that go along, what the coin of each holds. */
const paymentsOf = ({ to, amount, inscribes = amount, postages = [inscribes], payments = postages.map((postage) => ({ to, amount: postage })) }: Wanted) =>
  payments

/** The coins that are to be spent in any case. Throws ChainError if one is not there, or waits for a block. */
function requiredOf({ coins: names = [] }: Wanted, coins: readonly ListedCoin[]): SpentCoin[] {
  return names.map((name) => {
    const coin = coins.find((each) => nameOf(each) === name)
    if (!coin || coin.height === null) throw new ChainError(`the coin ${name} is not there to be spent`)
    return withoutProof(coin)
  })
}

/**
 * The unsigned bytes for an order. Where the tier asks for more than the cap, or than the coins suffice for, the next slower one is taken; where even the
 * slowest does, it throws ChainError.
 * An order that replaces keeps the payments, the inputs and so the slot, and pays at least what nodes ask of a replacement.
 */
export async function prepareTransfer(rpc: Rpc, chain: ChainId, order: TransferOrder, coins: readonly ListedCoin[], fallback?: Rates): Promise<Uint8Array> {
  const rates = order.quoted ? ratesOf(order.quoted) : await readRates(rpc, fallback)
  if (order.replaces) return finished(rpc, await replacement(rpc, { ...order, replaces: order.replaces }, coins, rates), coins)
  const previous = new Map<string, Uint8Array>()
  const draftFrom = async (left: readonly ListedCoin[]) => withInscriptions(rpc, order, payment(chain, order, left, rates), coins)
  return (
    await fitting(order, coins, draftFrom, async (draft) => {
      await readPreviousOf(rpc, draft, coins, previous)
      return { sizeOf: (txid) => previous.get(txid)?.length ?? 0, finish: () => finishDraft(draft, previous) }
    })
  ).made
}

type Proven<T> = { sizeOf(txid: string): number; finish(): T }

/**
 * What is made of a draft of coins whose proofs fit together, and the coins it was chosen from. Coins that the largest transactions made are left out for
 * others
 * until it fits. Throws ProofsTooLargeError if the rest does not suffice.
 */
async function fitting<T>(
  { coins: named = [] }: Pick<Wanted, 'coins'>,
  coins: readonly ListedCoin[],
  draftFrom: (left: readonly ListedCoin[]) => Promise<UnsignedTransaction>,
  prove: (draft: UnsignedTransaction) => Promise<Proven<T>>,
): Promise<{ made: T; left: readonly ListedCoin[] }> {
  let left = coins
  for (;;) {
    const draft = await draftFrom(left).catch((cause: unknown) => {
      // Without the coins left out there is too little, which is not for want of coin.
      throw left === coins || !(cause instanceof ChainError) ? cause : tooLarge(coins.length - left.length, cause)
    })
    const proven = await prove(draft)
    try {
      return { made: proven.finish(), left }
    } catch (cause) {
      const heaviest = cause instanceof ProofsTooLargeError ? heaviestOf(draft, named, proven) : undefined
      if (heaviest === undefined) throw cause
      left = left.filter((coin) => nameOf(coin) !== heaviest)
    }
  }
}

const tooLarge = (leftOut: number, cause: ChainError) =>
  new ProofsTooLargeError(
    `${leftOut} coin(s) of this address were made by transactions so large that signers cannot read them all with one order, and the others do not suffice: ` +
      'pay less at once, or join a few such coins first; an address of a taproot key needs no such proofs',
    { kind: 'proofs_large' },
    { cause },
  )

/** Sizes in bytes of transactions, by id, that were asked for once: they never change. */
export type KnownSizes = Map<string, number>
const KNOWN_SIZES_MAX = 10_000

/**
 * The coins of an address that a payment can be made of at a rate: without those whose proofs do not fit together. Throws ProofsTooLargeError as
 * `prepareTransfer` would;
 * what else is amiss with the order is left for whoever estimates its fee.
 */
export async function coinsThatFit(
  rpc: Rpc,
  chain: ChainId,
  wanted: Wanted,
  coins: readonly ListedCoin[],
  satPerKvb: bigint,
  known: KnownSizes,
): Promise<readonly ListedCoin[]> {
  try {
    const draftFrom = async (left: readonly ListedCoin[]) => draftOf(chain, wanted, left, satPerKvb, NO_CAP)
    const prove = async (draft: UnsignedTransaction) => {
      const txids = previousNeeded(draft)
      for (const txid of txids) if (!known.has(txid)) remember(known, txid, withoutWitnesses(await readPrevious(rpc, txid, coins)).length)
      const sizeOf = (txid: string) => known.get(txid) ?? 0
      return { sizeOf, finish: () => assertRoom(proofless(draft), draft.inputs.length, txids.map(sizeOf)) }
    }
    return (await fitting(wanted, coins, draftFrom, prove)).left
  } catch (cause) {
    if (cause instanceof ProofsTooLargeError || !(cause instanceof ChainError) || cause instanceof NodeRefused) throw cause
    return coins
  }
}

function remember(known: KnownSizes, txid: string, size: number): void {
  if (known.size >= KNOWN_SIZES_MAX) known.clear()
  known.set(txid, size)
}

const proofless = (draft: UnsignedTransaction) => serializePsbt({ ...draft, inputs: draft.inputs.map(withoutProof) })

/** Shows with a token's order what its first coins carry: the transaction that revealed each, and the one before. */
async function withInscriptions(
  rpc: Rpc,
  { postages = [] }: TransferOrder,
  draft: UnsignedTransaction,
  coins: readonly ListedCoin[],
): Promise<UnsignedTransaction> {
  const inputs = draft.inputs.map(async (coin, i) => (i < postages.length ? { ...coin, inscription: await readInscription(rpc, coin, coins) } : coin))
  return { ...draft, inputs: await Promise.all(inputs) }
}

async function readInscription(rpc: Rpc, { txid }: SpentCoin, coins: readonly ListedCoin[]): Promise<InscriptionProof> {
  const reveal = await readPrevious(rpc, txid, coins)
  const [input] = parseWithWitnesses(reveal).transaction.inputs
  const commit = withoutWitnesses(fromHex(hexData(await rpc('getrawtransaction', known(input, 'the input of a reveal').txid, 0), 'transaction')))
  return { reveal, commit }
}

/** The coin of a draft that the largest transaction made, among those that the order does not name: others may take its place. */
function heaviestOf({ inputs }: UnsignedTransaction, named: readonly string[], { sizeOf }: Pick<Proven<unknown>, 'sizeOf'>): string | undefined {
  const [heaviest] = inputs.filter((coin) => !named.includes(nameOf(coin))).toSorted((a, b) => sizeOf(b.txid) - sizeOf(a.txid))
  return heaviest && nameOf(heaviest)
}

/** The unsigned bytes that take the anchor of others back to the paying address. */
export async function prepareCancel(rpc: Rpc, { replaces, feeCap, tier }: CancelOrder, fallback?: Rates): Promise<Uint8Array> {
  const rates = await readRates(rpc, fallback)
  const least = await readReplacementFee(rpc, replaces)
  const draft = atBestRate(rates, { tier, feeCap }, (satPerKvb) => cancelTransfer({ replaces, satPerKvb, feeCap, ...least }))
  return finished(rpc, draft, [])
}

/**
 * What takes the place of bytes that wait, at the rate of its tier; where the cap or the coins do not allow that, at the highest rate below it that they do,
 * and at the least at the one that nodes ask for: people approved the cap so that it goes as fast as that allows. Throws ChainError if even the least is too
 * much.
 */
function atBestRate(rates: Rates, { tier, feeCap }: Pick<CancelOrder, 'tier' | 'feeCap'>, draftAt: (satPerKvb: bigint) => UnsignedTransaction) {
  const tried = (rate: bigint): UnsignedTransaction | undefined => {
    try {
      return draftAt(rate)
    } catch (cause) {
      if (cause instanceof ChainError) return undefined
      throw cause
    }
  }
  const wished = tried(rates[tier])
  if (wished) return wished
  const least = draftAt(0n)
  const byCap = (feeCap * 1000n) / sizeOf(least)
  const slower = [byCap, ...rates].filter((rate) => rate < rates[tier]).toSorted((a, b) => (a > b ? -1 : 1))
  for (const rate of slower) {
    const draft = tried(rate)
    if (draft) return draft
  }
  return least
}

async function finished(rpc: Rpc, draft: UnsignedTransaction, coins: readonly ListedCoin[]): Promise<Uint8Array> {
  const previous = new Map<string, Uint8Array>()
  await readPreviousOf(rpc, draft, coins, previous)
  return finishDraft(draft, previous)
}

async function readPreviousOf(rpc: Rpc, draft: UnsignedTransaction, coins: readonly ListedCoin[], previous: Map<string, Uint8Array>): Promise<void> {
  for (const txid of previousNeeded(draft)) if (!previous.has(txid)) previous.set(txid, await readPrevious(rpc, txid, coins))
}

function payment(chain: ChainId, order: TransferOrder, coins: readonly ListedCoin[], rates: Rates): UnsignedTransaction {
  const { from, to, amount, feeCap } = order
  if (to === from) return draftJoin({ chain, from, amount, coins: requiredOf(order, coins), feeCap })
  for (let tier: number = order.tier; tier > 0; tier--) {
    const draft = draftIfEnough(chain, order, coins, at(rates, tier))
    if (draft && effectsOf(networkOf(chain), draft).feeMax <= order.feeCap) return draft
  }
  return draftOf(chain, order, coins, rates[0], order.feeCap)
}

/** The draft of a payment at a rate; undefined where the coins do not suffice beside its fee: a slower one takes less of them. */
function draftIfEnough(chain: ChainId, order: TransferOrder, coins: readonly ListedCoin[], satPerKvb: bigint): UnsignedTransaction | undefined {
  try {
    return draftOf(chain, order, coins, satPerKvb, NO_CAP)
  } catch (cause) {
    if (cause instanceof BuildError && (cause.obstacle.kind === 'coins_missing' || cause.obstacle.kind === 'coins_small')) return undefined
    throw cause
  }
}

/** What a node asks of whatever takes the place of bytes that wait, besides the fee of those: its rate of relay, and the fees of all that spends of them. */
export async function readReplacementFee(rpc: Rpc, replaces: Uint8Array): Promise<{ incrementalSatPerKvb: bigint; descendantFees: bigint }> {
  const waiting = txidOf(transactionOf(readUnsigned(replaces)))
  return { incrementalSatPerKvb: await readIncrementalRate(rpc), descendantFees: await readDescendantFees(rpc, waiting) }
}

async function replacement(
  rpc: Rpc,
  order: TransferOrder & Pick<CancelOrder, 'replaces'>,
  coins: readonly ListedCoin[],
  rates: Rates,
): Promise<UnsignedTransaction> {
  const least = await readReplacementFee(rpc, order.replaces)
  const { replaces, feeCap } = order
  const further = spendable(order, coins).map(withoutProof)
  const draft = atBestRate(rates, order, (satPerKvb) => speedUpTransfer({ replaces, satPerKvb, feeCap, coins: further, ...least }))
  const paid = draft.outputs.filter(({ changePath }) => !changePath)
  const ordered = paymentsOf(order).map(({ to, amount }) => ({ amount, script: requireScript(networkOf(draft.chain), to) }))
  const isSame =
    paid.length === ordered.length && ordered.every(({ amount, script }, i) => at(paid, i).amount === amount && equalBytes(at(paid, i).script, script))
  if (!isSame) throw new ChainError('the transaction that is to be replaced pays something else than the order')
  return draft
}

/** The transaction that made a coin. Its block is named, so that a node without an index has it too. */
async function readPrevious(rpc: Rpc, txid: string, coins: readonly ListedCoin[]): Promise<Uint8Array> {
  const height = coins.find((coin) => coin.txid === txid)?.height
  const block = height === undefined || height === null ? undefined : await readBlockHash(rpc, height)
  const hex = await rpc('getrawtransaction', txid, 0, ...(block === undefined ? [] : [block]))
  return fromHex(hexData(hex, 'transaction'))
}
