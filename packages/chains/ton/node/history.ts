import { ChainError } from '@holdfast/chain-core'
import { RecentMap } from '@holdfast/units'
import { type Address, rawAddress } from '../codec/address.ts'
import { type SignedBody, readSignedBody } from '../codec/wallet.ts'
import { type Account, readAccount } from './account.ts'
import { array } from './answers.ts'
import type { Rpc } from './rpc.ts'
import { type Transaction, transactionOf } from './transaction.ts'

/** A transaction of a wallet that began outside: an order it carried out. */
export type CarriedOut = { id: string; order: SignedBody | undefined; transaction: Transaction }
/** What is looked for: nothing from before `sinceMs`, and nothing more once `isEnough` says so of an order. */
export type Wanted = { sinceMs: bigint; isEnough(order: CarriedOut): boolean }
export type History = (wallet: Address, wanted: Wanted) => Promise<{ account: Account; orders: ReadonlyMap<string, CarriedOut> }>

type Place = Account['last']
/** What was read of a wallet: everything from `last` back to before `next`, the oldest of it at `oldestMs`. */
type Known = { last: Place; next: Place; oldestMs: bigint; orders: Map<string, CarriedOut> }

const PAGE = 64
const WALLETS_MAX = 200

/**
 * The orders that a wallet carried out, by the hash of the message, read back from the newest only as far as they are wanted: a wallet has as many
 * transactions as
 * strangers care to pay for. Each transaction names the hash of the one before it, so that no node can leave one out; what was read once is not read again.
 */
export function openHistory(rpc: Rpc): History {
  const known = new RecentMap<string, Known>(WALLETS_MAX)
  return async (wallet, wanted) => {
    const key = rawAddress(wallet)
    const before = known.get(key)
    const account = await readAccount(rpc, wallet)
    // A node that is behind knows less than it once told.
    if (before && account.last.lt < before.last.lt) throw new ChainError('the node has gone back behind what it told before')
    const read: Known = { last: account.last, next: account.last, oldestMs: NEVER, orders: new Map() }
    await readBack(rpc, wallet, read, wanted, before?.last)
    // Where what is new reaches back to what was known, the two are one; else what was known is older than anything that is wanted.
    if (before && read.next.hash === before.last.hash) {
      const orders = new Map([...before.orders, ...read.orders])
      Object.assign(read, { next: before.next, oldestMs: before.oldestMs, orders })
      await readBack(rpc, wallet, read, wanted, undefined)
    }
    known.set(key, read)
    return { account, orders: read.orders }
  }
}

/** After every time: nothing was read. */
const NEVER = 1n << 64n

async function readBack(rpc: Rpc, wallet: Address, read: Known, { sinceMs, isEnough }: Wanted, until: Place | undefined): Promise<void> {
  let isFound = [...read.orders.values()].some(isEnough)
  while (!isFound && read.oldestMs >= sinceMs && read.next.lt > 0n && read.next.hash !== until?.hash) {
    const question = { address: rawAddress(wallet), limit: PAGE, lt: String(read.next.lt), hash: read.next.hash, archival: true }
    const page = array(await rpc('getTransactions', question), 'list of transactions').map((each) => transactionOf(each, wallet.workchain))
    if (page.length === 0) throw new ChainError('the node does not keep the whole history of an account; use one that does')
    for (const transaction of page) {
      if (read.next.lt === 0n || read.next.hash === until?.hash) break
      if (transaction.hash !== read.next.hash || transaction.lt !== read.next.lt)
        throw new ChainError("the node leaves transactions out of an account's history")
      const { message, previous, timeS } = transaction
      // An order that was taken in and undone counts for nothing: the wallet may still carry it out.
      if (message?.kind === 'external' && !transaction.isAborted) {
        const order = { id: message.hash, order: readSignedBody(message.body), transaction }
        read.orders.set(message.hash, order)
        isFound ||= isEnough(order)
      }
      Object.assign(read, { next: previous, oldestMs: BigInt(timeS) * 1_000n })
    }
  }
}
