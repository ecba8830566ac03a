import { type Block, type BlockTransfer, ChainError } from '@holdfast/chain-core'
import { type Address, addressText, sameAddress } from '../codec/address.ts'
import { CellReader } from '../codec/cell-reader.ts'
import { commentOf } from '../codec/comment.ts'
import { forwardedComment, jettonWalletAddress, OP_EXCESSES, OP_INTERNAL_TRANSFER, OP_NOTIFICATION, OP_TRANSFER } from '../codec/jetton.ts'
import type { Network } from '../codec/network.ts'
import { blocksTakenIn, masterId, readHeader, transactionsOf } from './blocks.ts'
import { claimedOwner, type Forms } from './jettons.ts'
import type { Rpc } from './rpc.ts'
import { nameOf, type Senders } from './senders.ts'
import type { Internal, Message, Transaction } from './transaction.ts'

/** What to look for in a block: the jettons by their masters. */
export type Watch = { network: Network; tokens: readonly Address[]; forms: Forms; senders: Senders }

// A transfer is numbered by which message of its transaction ordered it. Jettons and claims are numbered apart from the coin of the same message.
const JETTON_INDEX = 10_000
const CLAIM_INDEX = 20_000
const INDEX_STEP = 100_000
/** Of what unknown contracts claim no more is taken in from one block: whoever floods it gains nothing. */
const UNKNOWN_MAX = 2_000
/** The coin that a notification is sent with, and that pays nobody. */
const CARRIAGE = 1n

/** A block's facts and the transactions of all blocks that it takes in, or undefined above the head. */
export async function readTransactions(rpc: Rpc, height: bigint): Promise<{ block: Omit<Block, 'transfers'>; transactions: Transaction[] } | undefined> {
  const id = await masterId(rpc, height)
  if (!id) return undefined
  // Nothing moved in the state that the chain began with.
  if (height === 0n) return { block: { height, hash: id.hash, parentHash: '0'.repeat(64), timestampMs: 0 }, transactions: [] }
  const { previous, timeS } = await readHeader(rpc, id)
  const [parent] = previous
  if (previous.length !== 1 || parent?.seqno !== id.seqno - 1) throw new ChainError(`block ${height} does not stand on the one before it`)
  const transactions: Transaction[] = []
  for (const each of await blocksTakenIn(rpc, id, parent)) transactions.push(...(await transactionsOf(rpc, each)))
  return { block: { height, hash: id.hash, parentHash: parent.hash, timestampMs: timeS * 1_000 }, transactions }
}

/**
 * Reads a masterchain block with everything it takes in, or undefined above the head. A payment stands in the block where it arrives, and has
 * the id of the transaction that ordered it.
 */
export async function readBlock(rpc: Rpc, watch: Watch, height: bigint): Promise<Block | undefined> {
  const read = await readTransactions(rpc, height)
  if (!read) return undefined
  const { block, transactions } = read
  watch.senders.remember(transactions)
  const transfers: BlockTransfer[] = []
  const unknownTransfers: BlockTransfer[] = []
  const charges: { address: string; amount: bigint }[] = []
  const taken = new Set<string>()
  const add = (list: BlockTransfer[], transfer: BlockTransfer | undefined): void => {
    if (!transfer || transfer.amount === 0n) return
    let { index } = transfer
    // A contract may take one message from outside twice; what it then pays is told apart by the order in the block.
    while (taken.has(`${transfer.txid} ${index}`)) index += INDEX_STEP
    taken.add(`${transfer.txid} ${index}`)
    list.push({ ...transfer, index })
  }
  for (const transaction of transactions) {
    const { message } = transaction
    const amount = await chargeOf(watch, transaction)
    if (amount > 0n) charges.push({ address: addressText(transaction.account, watch.network.isTest), amount })
    if (message?.kind !== 'internal' || message.isBounced) continue
    add(transfers, await coinTransfer(watch, transaction, message))
    const op = opOf(message)
    if (op === OP_INTERNAL_TRANSFER && !transaction.isAborted) add(transfers, await jettonTransfer(rpc, watch, transaction, message))
    if (op === OP_NOTIFICATION && unknownTransfers.length < UNKNOWN_MAX) add(unknownTransfers, await claimedTransfer(watch, message))
  }
  return { ...block, transfers, charges, unknownTransfers }
}

/** The first 32 bits of a message, by which contracts know what is wanted. */
export function opOf({ body }: { body: Internal['body'] }): number | undefined {
  return body.bits.length >= 32 && !body.isExotic ? new CellReader(body).number(32) : undefined
}

/** What a transaction took of its account that no order of the account's accounts for. */
async function chargeOf({ senders }: Watch, transaction: Transaction): Promise<bigint> {
  const { message, fees, storageFee, isAborted, sent } = transaction
  // An order that was carried out has this in its own fee, as has what comes back of a jetton's.
  if (message?.kind === 'external') return isAborted ? fees : 0n
  if (message?.kind !== 'internal' || message.isBounced || (await sentAlong(senders, message)) !== undefined) return 0n
  return sent.some(({ isBounced }) => isBounced) ? storageFee : fees
}

async function coinTransfer({ network, senders }: Watch, transaction: Transaction, message: Internal): Promise<BlockTransfer | undefined> {
  // The account did not take it: it is on its way back.
  if (message.value === 0n || transaction.sent.some(({ isBounced }) => isBounced)) return undefined
  const op = opOf(message)
  if (op === OP_NOTIFICATION && message.value <= CARRIAGE) return undefined
  const sender = await senders.of(message)
  // What comes back beyond what had gone along was somebody else's, and is a payment of its own.
  const amount = message.value - ((await sentAlong(senders, message)) ?? 0n)
  if (!sender || amount <= 0n) return undefined
  const memo = commentOf(message.body)
  return {
    txid: nameOf(sender, network),
    index: Number(message.createdLt - sender.lt),
    asset: { chain: network.chain, contract: null },
    from: addressText(message.from, network.isTest),
    to: addressText(message.to, network.isTest),
    amount,
    ...(memo === undefined ? {} : { memo }),
  }
}

/**
 * Of coin that is what is left of a jetton transfer which the account itself ordered: what had gone along with that. As much of it is part of what the transfer
 * cost, and no payment. Undefined for any other coin.
 */
async function sentAlong(senders: Senders, change: Internal): Promise<bigint | undefined> {
  const returning = opOf(change) === OP_EXCESSES ? await senders.of(change) : undefined
  if (returning?.message?.kind !== 'internal' || changeIn(returning, change.to)?.id !== change.id) return undefined
  const isOrder = (message: Message | undefined) => message?.kind === 'internal' && opOf(message) === OP_TRANSFER && sameAddress(message.from, change.to)
  if (isOrder(returning.message)) return returning.message.value
  const paying = opOf(returning.message) === OP_INTERNAL_TRANSFER ? await senders.of(returning.message) : undefined
  return paying?.message?.kind === 'internal' && isOrder(paying.message) ? paying.message.value : undefined
}

/** What of a transaction goes back to who ordered a jetton transfer: the first such message. A contract that sends more of them pays with the others. */
export function changeIn({ sent }: Transaction, payer: Address): Internal | undefined {
  return sent.find((each) => sameAddress(each.to, payer) && (each.isBounced || opOf(each) === OP_EXCESSES))
}

type Arrival = { amount: bigint; memo?: string }

/** A payment in a watched jetton, which has arrived at the jetton wallet of the one who is paid. Both wallets must be the computed ones. */
async function jettonTransfer(rpc: Rpc, watch: Watch, { account }: Transaction, message: Internal): Promise<BlockTransfer | undefined> {
  const { network, tokens, forms, senders } = watch
  const arrival = tokens.length > 0 ? readArrival(message) : undefined
  const sender = arrival && (await senders.of(message))
  if (!arrival || !sender || sender.message?.kind !== 'internal') return undefined
  const ordered = opOf(sender.message) === OP_TRANSFER ? readPayee(sender.message) : null
  for (const master of tokens) {
    const form = await forms(master)
    const isWalletOf = (wallet: Address, owner: Address | null): owner is Address =>
      owner !== null && sameAddress(wallet, jettonWalletAddress(form, master, owner))
    const asset = { chain: network.chain, contract: addressText(master, network.isTest) }
    if (isWalletOf(account, ordered) && isWalletOf(sender.account, sender.message.from)) {
      const root = await senders.of(sender.message)
      if (!root) return undefined
      const index = JETTON_INDEX + Number(sender.message.createdLt - root.lt)
      const [from, to] = [sender.message.from, ordered].map((each) => addressText(each, network.isTest)) as [string, string]
      return { txid: nameOf(root, network), index, asset, from, to, ...arrival }
    }
    if (sameAddress(sender.account, master)) {
      // Newly made: only the wallet itself says whose it is, and its address whether that is so.
      const owner = await claimedOwner(rpc, account)
      if (!isWalletOf(account, owner)) return undefined
      const index = JETTON_INDEX + Number(message.createdLt - sender.lt)
      return { txid: nameOf(sender, network), index, asset, from: asset.contract, to: addressText(owner, network.isTest), ...arrival }
    }
  }
  return undefined
}

/** What a jetton wallet was told to take in; undefined if it is not of the usual form. */
function readArrival({ body }: Internal): Arrival | undefined {
  return tolerant(() => {
    const reader = new CellReader(body)
    reader.skip(32 + 64)
    const amount = reader.coins()
    reader.address()
    reader.address()
    reader.coins()
    const memo = reader.bitsLeft > 0 ? forwardedComment(reader) : undefined
    return { amount, ...(memo === undefined ? {} : { memo }) }
  })
}

/** Whom a holder told its jetton wallet to pay. */
function readPayee({ body }: Internal): Address | null {
  return (
    tolerant(() => {
      const reader = new CellReader(body)
      reader.skip(32 + 64)
      reader.coins()
      return reader.address()
    }) ?? null
  )
}

/** What some contract tells an account that it was paid in some jetton, where that is none of the watched ones. */
async function claimedTransfer({ network, tokens, forms, senders }: Watch, message: Internal): Promise<BlockTransfer | undefined> {
  for (const master of tokens) if (sameAddress(message.from, jettonWalletAddress(await forms(master), master, message.to))) return undefined
  const claim = tolerant(() => {
    const reader = new CellReader(message.body)
    reader.skip(32 + 64)
    return { amount: reader.coins(), from: reader.address() }
  })
  const sender = claim && (await senders.of(message))
  if (!claim || !sender) return undefined
  return {
    txid: nameOf(sender, network),
    index: CLAIM_INDEX + Number(message.createdLt - sender.lt),
    asset: { chain: network.chain, contract: addressText(message.from, network.isTest) },
    from: claim.from ? textOrNothing(claim.from, network) : '',
    to: addressText(message.to, network.isTest),
    amount: claim.amount,
  }
}

function textOrNothing(address: Address, { isTest }: Network): string {
  return tolerant(() => addressText(address, isTest)) ?? ''
}

/** Strangers write what they like: what is of no usual form must not stop the reading. */
function tolerant<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}
