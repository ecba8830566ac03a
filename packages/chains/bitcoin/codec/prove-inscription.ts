import { ChainError } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { readBrc20 } from './brc20.ts'
import { leafOutput, readInscriptions } from './inscription.ts'
import { parseTransaction, parseWithWitnesses, serializeTransaction, txidOf } from './transaction.ts'

/**
 * What proves which inscription lies on a coin that nobody has moved since: the transaction that revealed it with its witnesses, and the one before it without.
 * A transaction's id says nothing of witnesses; but the output that was revealed says which script it has, where it has one alone.
 */
export type InscriptionProof = { reveal: Uint8Array; commit: Uint8Array }

/** A BRC-20 transfer on a coin, amounts in parts of 10^-18. */
export type InscribedTransfer = { ticker: string; amount: bigint }

/**
 * The BRC-20 transfer on a coin, read from its proof. Throws ChainError if the proof shows none, or leaves open which. Whether the transfer counts is for an
 * index of all of them to say.
 */
export function readInscribedTransfer(coin: { txid: string; index: number; amount: bigint }, { reveal, commit }: InscriptionProof): InscribedTransfer {
  const { transaction, witnesses } = parseWithWitnesses(reveal)
  const before = parseTransaction(commit)
  const [input] = transaction.inputs
  if (txidOf(transaction) !== coin.txid || coin.index !== 0 || transaction.outputs[0]?.amount !== coin.amount)
    throw new ChainError('the inscription that is shown is not on the first output of the transaction that made the coin')
  if (txidOf(before) !== input?.txid || !equalBytes(commit, serializeTransaction(before)))
    throw new ChainError('the transaction before the inscription is another than it spends')
  const witness = at(witnesses, 0)
  const [, leaf, control] = witness
  if (witness.length !== 3 || !leaf || !control || !equalBytes(leafOutput(control, leaf), before.outputs[input.index]?.script ?? new Uint8Array()))
    throw new ChainError('the script that is shown is not the only one of the output that was revealed, so nobody can say what it inscribed')
  const [inscription] = readInscriptions(witness)
  const operation = inscription && !inscription.isCursed ? readBrc20(inscription) : undefined
  if (operation?.op !== 'transfer') throw new ChainError('the coin carries no BRC-20 transfer')
  return { ticker: operation.ticker, amount: operation.amount }
}
