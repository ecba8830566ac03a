import { ChainError } from '@holdfast/chain-core'
import { type Address, rawAddress } from '../codec/address.ts'
import { type SignedBody, readSignedBody } from '../codec/wallet.ts'
import { type Account, readAccount } from './account.ts'
import { array } from './answers.ts'
import type { Rpc } from './rpc.ts'
import { type Transaction, transactionOf } from './transaction.ts'

/** A transaction of a wallet that began outside: an order it carried out. */
export type CarriedOut = { id: string; order: SignedBody | undefined; transaction: Transaction }
export type History = (wallet: Address) => Promise<{ account: Account; orders: ReadonlyMap<string, CarriedOut> }>

const PAGE = 64
const WALLETS_MAX = 200
const TRANSACTIONS_MAX = 200_000

/**
 * All orders that a wallet ever carried out, by the hash of the message. Each transaction names the hash of the one before it, so that no
 * node can leave one out; what was read once is not read again.
 */
export function openHistory(rpc: Rpc): History {
  const known = new Map<string, { last: Account['last']; orders: Map<string, CarriedOut> }>()
  return async (wallet) => {
    const key = rawAddress(wallet)
    const before = known.get(key)
    const account = await readAccount(rpc, wallet)
    // A node that is behind knows less than it once told.
    if (before && account.last.lt < before.last.lt) throw new ChainError('the node has gone back behind what it told before')
    const fresh = await readBack(rpc, wallet, account.last, before?.last)
    const orders = new Map([...(before?.orders ?? []), ...fresh])
    known.delete(key)
    known.set(key, { last: account.last, orders })
    const [oldest] = known.keys()
    if (known.size > WALLETS_MAX) known.delete(oldest!)
    return { account, orders }
  }
}

async function readBack(rpc: Rpc, wallet: Address, from: Account['last'], until: Account['last'] | undefined): Promise<[string, CarriedOut][]> {
  const found: [string, CarriedOut][] = []
  let next = from
  for (let read = 0; next.lt > 0n && next.hash !== until?.hash; ) {
    const question = { address: rawAddress(wallet), limit: PAGE, lt: String(next.lt), hash: next.hash, archival: true }
    const page = array(await rpc('getTransactions', question), 'list of transactions').map((each) => transactionOf(each, wallet.workchain))
    if (page.length === 0) throw new ChainError('the node does not keep the whole history of an account; use one that does')
    for (const transaction of page) {
      if (next.lt === 0n || next.hash === until?.hash) break
      if (transaction.hash !== next.hash || transaction.lt !== next.lt) throw new ChainError("the node leaves transactions out of an account's history")
      const { message, previous } = transaction
      // An order that was taken in and undone counts for nothing: the wallet may still carry it out.
      if (message?.kind === 'external' && !transaction.isAborted)
        found.push([message.hash, { id: message.hash, order: readSignedBody(message.body), transaction }])
      next = previous
    }
    read += page.length
    if (read > TRANSACTIONS_MAX) throw new ChainError('the account has a longer history than can be read')
  }
  return found
}
