import { usePolicyOutcome } from '@holdfast/features/policy/console'
import { guessAddress } from '@holdfast/chain-registry/guess-address'
import { useDebounced } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { checkAddress, estimateGas } from '../contract.ts'
import { amountFault, type Coin, type ChosenFee, feeOf, paidOf } from './draft.ts'

type Asked = {
  subWalletId: string
  coin: Coin | undefined
  from: string | undefined
  to: string
  memo: string
  amount: string
  isGross: boolean
  chosenFee: ChosenFee
}

/** What the server says while the form of a payment is filled in: about the address, the fee, and the policy. */
export function useAnswers({ subWalletId, coin, from, to: typedTo, memo: typedMemo, amount: typedAmount, isGross, chosenFee }: Asked) {
  const to = useDebounced(typedTo.trim())
  const memo = useDebounced(typedMemo.trim())
  const amount = useDebounced(typedAmount)
  const asked = { sub_wallet_id: subWalletId, chain: coin?.chain ?? '' }
  const canAsk = coin !== undefined && guessAddress(to, coin.chain).kind === 'address'
  const asset = { symbol: coin?.symbol ?? '', token_id: coin?.token_id }
  const check = useEndpoint(checkAddress, { ...asked, ...asset, address: to }, { enabled: canAsk })
  const isAmount = coin !== undefined && (amountFault(amount, coin) ?? 'exceeds') === 'exceeds'
  const known = canAsk && check.data?.valid ? check.data.canonical : null
  const quoted = isAmount ? amount : coin?.token_id === undefined ? '0' : '1'
  const quote = useEndpoint(
    estimateGas,
    { ...asked, ...asset, ...(from !== undefined && { from }), to: known ?? '', amount: quoted, ...(isGross ? { gross: '1' as const } : {}) },
    { enabled: known !== null, keepLast: true, refetchEveryMs: (data) => data?.valid_ms ?? false },
  )
  const fee = feeOf(known === null ? undefined : quote.data, chosenFee)
  const taken = isGross ? fee : undefined
  const isPaid = isAmount && (!isGross || fee !== undefined) && amountFault(amount, coin, { fee: taken }) !== 'eaten'
  const paid = isPaid ? paidOf(amount, coin, taken) : undefined
  const carried = check.data?.memo_max == null ? '' : memo
  const outcome = usePolicyOutcome(
    coin && paid !== undefined
      ? { subWalletId, chain: coin.chain, symbol: coin.symbol, tokenId: coin.token_id, amount: paid, from, to: known ?? undefined, memo: carried }
      : undefined,
  )
  const isMissing = (answer: { isPending: boolean; isPlaceholderData: boolean; isError: boolean }) =>
    (answer.isPending || answer.isPlaceholderData) && !answer.isError
  const isTyping = to !== typedTo.trim() || memo !== typedMemo.trim() || amount !== typedAmount
  return {
    /** Of the very address that stands in the field: what is known of another one would be said of this. */
    check: canAsk && to === typedTo.trim() ? check.data : undefined,
    quote: known === null ? undefined : quote.data,
    /** The most the chosen fee may reach, and what the recipient gets; undefined while they are unknown. */
    fee,
    paid,
    outcome: paid === undefined ? undefined : outcome.data,
    /** An answer is on its way: the shown one may be about the previous input. */
    isWaiting: isTyping || (canAsk && isMissing(check)) || (known !== null && isMissing(quote)) || (paid !== undefined && isMissing(outcome)),
    failed: [canAsk && check, known !== null && quote, paid !== undefined && outcome].find((answer) => answer && answer.isError && !answer.data) || undefined,
  }
}
