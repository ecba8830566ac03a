/** A sub-wallet as people name it everywhere: its wallet first, since each wallet begins with a sub-wallet of the same name. */
export function subWalletPath({ wallet_name: wallet, sub_wallet_name: subWallet }: { wallet_name: string; sub_wallet_name: string }): string {
  return `${wallet} / ${subWallet}`
}
