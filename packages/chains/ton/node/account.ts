import { ChainError } from '@holdfast/chain-core'
import { type Address, rawAddress } from '../codec/address.ts'
import type { Cell } from '../codec/cell.ts'
import { boc, count, hash, record } from './answers.ts'
import { idOf } from './blocks.ts'
import type { Rpc } from './rpc.ts'

export type Account = {
  balance: bigint
  /** What runs there; absent if nothing does. */
  contract?: { code: Cell; data: Cell }
  last: { lt: bigint; hash: string }
  /** The masterchain block as of which all this is said. */
  height: bigint
}

export async function readAccount(rpc: Rpc, address: Address): Promise<Account> {
  const claim = record(await rpc('getAddressInformation', { address: rawAddress(address) }), 'account')
  const last = record(claim.last_transaction_id, 'last transaction')
  const account = {
    balance: count(claim.balance === -1 ? 0 : claim.balance, 'balance'),
    last: { lt: count(last.lt, 'time of the last transaction'), hash: hash(last.hash, 'hash of the last transaction') },
    height: BigInt(idOf(claim.block_id).seqno),
  }
  if (claim.state === 'active') return { ...account, contract: { code: boc(claim.code, 'code of a contract'), data: boc(claim.data, 'data of a contract') } }
  if (claim.state !== 'uninitialized' && claim.state !== 'frozen') throw new ChainError('the node does not say what an account is')
  return account
}
