import type { OwnedToken, PaymentForm } from '@holdfast/features/console-feature'
import { getNft } from '@holdfast/features/nft/contract'
import { useEndpoint } from '@holdfast/client'

const NONE = { base_symbol: '', contract_address: '', token_id: '' }

/** The token of a collection that a form sends, if any. Where only its name is known, it is asked how many pieces of it the sub-wallet has now. */
export function useToken(token: PaymentForm['token'], subWalletId: string): { token?: OwnedToken; isAsked: boolean } {
  const named = token && 'base_symbol' in token ? token : undefined
  const { base_symbol, chain, contract_address, token_id } = { chain: undefined, ...(named ?? NONE) }
  const { data, isPending } = useEndpoint(getNft, { base_symbol, chain, contract_address, token_id }, { enabled: named !== undefined })
  if (token && !('base_symbol' in token)) return { token, isAsked: false }
  if (!named || isPending) return { isAsked: named !== undefined }
  const amount = data?.owners.find((each) => each.sub_wallet_id === subWalletId)?.amount ?? '0'
  return { token: { ...named, decimals: 0, normal_balance: amount, isSingle: data?.standard === 'ERC-721' }, isAsked: false }
}
