import { array, ChainError, record } from '@holdfast/chain-core'
import { UNSUPPORTED } from './internal-transfers.ts'
import { NodeRefused, NodeStatusError, type Rpc } from './rpc.ts'

type Receipt = Record<string, unknown>
/** The receipts of a block's transactions as the node claims them, in the order of the transactions; null if the node has no such block any more. */
export type ReceiptReader = <T>(blockHash: string, txids: readonly string[], check: (receipts: Receipt[]) => T) => Promise<T | null>

/** So often a block's receipts are asked for at once where they do not fit it; then each is asked for by itself. */
const TRIES = 3
/** Questions side by side. */
const AT_ONCE = 16
/** The statuses with which providers answer what one's plan does not hold, or what they do not have. */
const REFUSING = [400, 401, 402, 403, 404, 405, 501]

/**
 * Opens a node's receipts. They are asked for by block; where the node has no such question (some development nodes and providers), or where what it
 * answers did
 * not fit the block three times, one by one. `check` throws ChainError for receipts that do not fit. Of those asked for one by one each must name the
 * block too,
 * so that they cannot be mixed of two forks.
 */
export function openReceipts(rpc: Rpc): ReceiptReader {
  let hasBlockReceipts = true
  const failed = { blockHash: '', times: 0 }
  const ifRefused = (cause: unknown): undefined => {
    const isUnknown = cause instanceof NodeRefused && UNSUPPORTED.test(cause.reason)
    if (!isUnknown && !(cause instanceof NodeStatusError && REFUSING.includes(cause.status))) throw cause
    // A question that the node does not have is not asked again.
    if (isUnknown) hasBlockReceipts = false
  }
  const eachByItself = async (txids: readonly string[]) => {
    const receipts: Receipt[] = []
    for (let at = 0; at < txids.length; at += AT_ONCE)
      receipts.push(...(await Promise.all(txids.slice(at, at + AT_ONCE).map(async (txid) => oneOf(await rpc('eth_getTransactionReceipt', [txid]), txid)))))
    return receipts
  }
  return async (blockHash, txids, check) => {
    const isTried = failed.blockHash === blockHash && failed.times >= TRIES
    const claim = hasBlockReceipts && !isTried ? await rpc('eth_getBlockReceipts', [blockHash]).catch(ifRefused) : undefined
    if (claim === null) return null
    if (claim === undefined) return check(await eachByItself(txids))
    try {
      return check(array(claim, 'list of receipts').map((each) => record(each, 'receipt')))
    } catch (cause) {
      Object.assign(failed, { blockHash, times: failed.blockHash === blockHash ? failed.times + 1 : 1 })
      throw cause
    }
  }
}

function oneOf(claim: unknown, txid: string): Receipt {
  if (claim === null) throw new ChainError(`the node has no receipt of ${txid}, whose block it gave; read it again`)
  return record(claim, 'receipt')
}
