import { type BlockTransfer, ChainError } from '@holdfast/chain-core'
import { address, count, hexData, list, record } from './answers.ts'

/*
 * TRX that contracts move inside transactions. Nodes tell of it where they are set to keep it (`saveInternalTx`); where they are not, nothing shows that
 * something
 * is missing. Source: java-tron, protocol/src/main/protos/core/Tron.proto, InternalTransaction.
 */

/** The first index of internal transfers: far above those of logs. */
const FIRST_INDEX = 2 ** 30
/** Of all that contracts do, these move the value they name to the account they name; staking and voting name values that stay where they are. */
const MOVING = new Set(['call', 'create', 'suicide'])

/** What a transaction that worked moved inside, without what was undone and without tokens of TRC-10. Each keeps the index of its place in the node's list. */
export function coinMovedInside(chain: string, txid: string, claim: unknown): BlockTransfer[] {
  return list(claim, 'list of internal transactions').flatMap((each, i) => {
    const inner = record(each, 'internal transaction')
    const kind = new TextDecoder().decode(hexData(inner.note ?? '', 'note of an internal transaction'))
    if (isRejected(inner.rejected) || !MOVING.has(kind)) return []
    const amount = list(inner.callValueInfo, 'list of values')
      .map((value) => record(value, 'value'))
      .filter(({ tokenId }) => tokenId === undefined)
      .reduce((sum, { callValue }) => sum + count(callValue, 'value'), 0n)
    const [from, to] = [address(inner.caller_address, 'caller'), address(inner.transferTo_address, 'recipient')]
    if (amount === 0n || from === to) return []
    return [{ txid, index: FIRST_INDEX + i, asset: { chain, contract: null }, from, to, amount, inside: true as const }]
  })
}

function isRejected(claim: unknown): boolean {
  if (claim !== undefined && typeof claim !== 'boolean') throw new ChainError('the node does not say whether an internal transaction was undone')
  return claim === true
}
