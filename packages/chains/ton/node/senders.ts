import { ChainError } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { RecentMap } from '@holdfast/units'
import { rawAddress } from '../codec/address.ts'
import type { Network } from '../codec/network.ts'
import { transactionId } from '../codec/ton-codec.ts'
import type { Rpc } from './rpc.ts'
import { type Internal, type Transaction, transactionOf } from './transaction.ts'

/** Sent messages that are remembered, so that one which arrives a few blocks later need not be asked for. */
const REMEMBERED_MAX = 20_000

/** Finds the transaction that sent a message: among those remembered, else by asking. Undefined if the chain itself sent it. */
export type Senders = { remember(transactions: readonly Transaction[]): void; of(message: Internal): Promise<Transaction | undefined> }

export function openSenders(rpc: Rpc): Senders {
  const known = new RecentMap<string, Transaction>(REMEMBERED_MAX)
  return {
    remember: (transactions) => {
      for (const transaction of transactions) for (const { id } of transaction.sent) known.set(id, transaction)
    },
    of: async (message) => {
      const { id, from, to, createdLt } = message
      // New coin and collected fees come from nobody's account.
      if (from.workchain === -1 && from.hash.every((byte) => byte === 0)) return undefined
      const remembered = known.get(id)
      if (remembered) return remembered
      const question = { source: rawAddress(from), destination: rawAddress(to), created_lt: String(createdLt) }
      const sender = transactionOf(await rpc('tryLocateSourceTx', question), from.workchain)
      if (!sender.sent.some((each) => each.id === id)) throw new ChainError(`the node gave transaction ${sender.hash} as one that it is not`)
      return sender
    },
  }
}

/**
 * The name of a transaction: what its signer knew before it was sent, where it began outside, and else its own hash; and the account.
 */
export function nameOf({ message, hash, account }: Transaction, { isTest }: Network): string {
  return transactionId(fromHex(message?.kind === 'external' ? message.hash : hash), account, isTest)
}
