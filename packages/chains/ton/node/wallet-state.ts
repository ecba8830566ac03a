import { readWalletData } from '../codec/wallet.ts'
import type { Account } from './account.ts'

/** The next number of a wallet, and its key where it is already made; an account with nothing there begins at 0. */
export function walletState({ contract }: Account): { seqno: bigint; publicKey?: Uint8Array } {
  return contract ? readWalletData(contract.data) : { seqno: 0n }
}
