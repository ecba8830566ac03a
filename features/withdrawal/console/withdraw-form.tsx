import { ContactField } from '@holdfast/features/address-book/console'
import { PolicyOutcome, usePolicyOutcome } from '@holdfast/features/strategy/console'
import {
  Amount,
  Button,
  DrawerBody,
  DrawerFooter,
  ErrorState,
  REMARK_LIMIT,
  SelectField,
  TextField,
  useDebounced,
  useDrawerPage,
  useEndpoint,
  useTextForm,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkAddress, estimateGas } from '../contract.ts'
import { DestinationFacts } from './destination-facts.tsx'
import { amountFault, type Coin, coinKey, type Draft, memoExcess, type Tier, unitOf, type Warning, warningsOf } from './draft.ts'
import { FeeChoice } from './fee-choice.tsx'
import { OwnWalletField } from './own-wallet-field.tsx'
import type { WithdrawTarget } from './open-withdraw-drawer.tsx'

type Choices = { coin: string; tier: Tier['tier']; expireHours: number; acknowledged: readonly Warning[] }

type WithdrawFormProps = {
  subWallet: { id: string; name: string }
  coins: readonly Coin[]
  firstCoin: Pick<Coin, 'chain' | 'symbol' | 'token_id'>
  again: WithdrawTarget['again']
  /** What was filled in before, when the person comes back from the review. */
  draft: Draft | undefined
  onReview: (draft: Draft) => void
}

const PRINTABLE = /^[!-~]{1,200}$/
const EXPIRIES = [24, 72, 168] as const

function firstChoices({ firstCoin, draft }: Pick<WithdrawFormProps, 'firstCoin' | 'draft'>): Choices {
  if (!draft) return { coin: coinKey(firstCoin), tier: 'normal', expireHours: 168, acknowledged: [] }
  return { coin: coinKey(draft.coin), tier: draft.tier.tier, expireHours: draft.expireHours, acknowledged: warningsOf(draft.check) }
}

/** What the server says while the form is filled in: about the address, the fee, and the policy. */
function useAnswers(subWalletId: string, coin: Coin | undefined, typedTo: string, typedAmount: string) {
  const to = useDebounced(typedTo.trim())
  const amount = useDebounced(typedAmount)
  const asked = { sub_wallet_id: subWalletId, chain: coin?.chain ?? '' }
  const canAsk = coin !== undefined && PRINTABLE.test(to)
  const check = useEndpoint(checkAddress, { ...asked, address: to }, { enabled: canAsk })
  const isAmount = coin !== undefined && (amountFault(amount, coin) ?? 'exceeds') === 'exceeds'
  const known = canAsk && check.data?.valid ? check.data.canonical : null
  const quote = useEndpoint(
    estimateGas,
    { ...asked, symbol: coin?.symbol ?? '', token_id: coin?.token_id, to: known ?? '', amount: isAmount ? amount : coin?.token_id === undefined ? '0' : '1' },
    { enabled: known !== null, keepLast: true, refetchEveryMs: (data) => data?.valid_ms ?? false },
  )
  const outcome = usePolicyOutcome(coin && isAmount ? { subWalletId, chain: coin.chain, symbol: coin.symbol, tokenId: coin.token_id, amount } : undefined)
  const isMissing = (answer: { isPending: boolean; isPlaceholderData: boolean; isError: boolean }) =>
    (answer.isPending || answer.isPlaceholderData) && !answer.isError
  const isTyping = to !== typedTo.trim() || amount !== typedAmount
  return {
    check: canAsk ? check.data : undefined,
    quote: known === null ? undefined : quote.data,
    outcome: isAmount ? outcome.data : undefined,
    /** An answer is on its way: what is shown may be about what stood there before. */
    isWaiting: isTyping || (canAsk && isMissing(check)) || (known !== null && isMissing(quote)) || (isAmount && isMissing(outcome)),
    failed: [canAsk && check, known !== null && quote, isAmount && outcome].find((answer) => answer && answer.isError && !answer.data) || undefined,
  }
}

/** The form of a payment. What is typed is checked while it is typed; nothing is sent from here. */
export function WithdrawForm({ subWallet, coins, firstCoin, again, draft, onReview }: WithdrawFormProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const [choices, setChoices] = useState(() => firstChoices({ firstCoin, draft }))
  const choose = (next: Partial<Choices>) => setChoices((present) => ({ ...present, ...next }))
  const coin = coins.find((each) => coinKey(each) === choices.coin)
  // The balance of a coin changes while the form is open, by a deposit that became final or another order: the amount is judged anew.
  const judge = (text: string) => {
    const fault = coin && amountFault(text.trim(), coin)
    return fault && t(`withdrawal.amount.${fault}`, { decimals: coin.decimals })
  }
  const { form, field, valueOf, set, isTried, submit } = useTextForm(
    {
      to: { label: t('withdrawal.form.to') },
      memo: { label: t('withdrawal.form.memo'), optional: true },
      amount: { label: t('withdrawal.form.amount'), check: judge },
      remark: { label: t('withdrawal.form.remark'), optional: true },
    },
    draft ?? again,
  )
  const typedAmount = valueOf('amount').trim()
  const { check, quote, outcome, isWaiting, failed } = useAnswers(subWallet.id, coin, valueOf('to'), typedAmount)
  const warnings = check?.valid ? warningsOf(check) : []
  const memoMax = check?.memo_max ?? null
  const excess = memoMax === null ? undefined : memoExcess(valueOf('memo'), memoMax)
  const review = ({ to, memo, amount, remark }: { to: string; memo: string; amount: string; remark: string }) => {
    const { expireHours, acknowledged } = choices
    const tier = quote?.tiers.find((each) => each.tier === choices.tier)
    if (isWaiting || excess !== undefined || !coin || !check?.valid || !tier || !quote || outcome?.outcome !== 'needs') return
    if (!warnings.every((each) => acknowledged.includes(each))) return
    const paid = { memo: memoMax === null ? '' : memo.trim(), amount: amount.trim() }
    onReview({ coin, to: to.trim(), check, ...paid, tier, feeSymbol: quote.fee_symbol, remark: remark.trim(), expireHours, outcome })
  }
  // What was acknowledged of one address says nothing of another.
  const takeAddress = (to: string) => {
    set('to', to)
    choose({ acknowledged: [] })
  }
  const takeContact = ({ address, memo }: { address: string; memo: string }) => {
    takeAddress(address)
    set('memo', memo)
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, review)}>
      <DrawerBody>
        <SelectField
          label={t('withdrawal.form.coin')}
          value={choices.coin}
          options={coins.map((each) => ({ value: coinKey(each), label: `${unitOf(each)} · ${each.network}` }))}
          onChange={(next) => choose({ coin: next, acknowledged: [] })}
          hint={
            coin && (
              <span className="hf-row-tight">
                {t('withdrawal.form.available')} <Amount value={coin.normal_balance} unit={unitOf(coin)} />
              </span>
            )
          }
        />
        <div className="hf-destination">
          <TextField {...field('to')} onChange={takeAddress} wraps autoComplete="off" className="hf-mono" />
          <ContactField chain={coin?.chain ?? ''} address={valueOf('to')} onPick={takeContact} />
          <OwnWalletField fromId={subWallet.id} coin={coin} onPick={takeContact} />
          {check && (
            <DestinationFacts check={check} acknowledged={choices.acknowledged} onAcknowledge={(acknowledged) => choose({ acknowledged })} isTried={isTried} />
          )}
        </div>
        {memoMax !== null && (
          <TextField
            {...field('memo')}
            {...(excess === undefined ? {} : { error: t('withdrawal.form.memoLong', { max: memoMax, excess }) })}
            hint={t('withdrawal.form.memoNote')}
            autoComplete="off"
          />
        )}
        <TextField
          {...field('amount')}
          {...(typedAmount !== '' && judge(typedAmount) !== undefined ? { error: judge(typedAmount) } : {})}
          inputMode="decimal"
          autoComplete="off"
          className="hf-amount-input"
          suffix={<AmountSuffix symbol={coin && unitOf(coin)} max={quote?.max_withdraw} onTake={(max) => set('amount', max)} />}
        />
        {quote && <FeeChoice quote={quote} chosen={choices.tier} onChange={(tier) => choose({ tier })} />}
        {outcome && <PolicyOutcome outcome={outcome} />}
        {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
        <SelectField
          label={t('withdrawal.form.expires')}
          value={String(choices.expireHours)}
          options={EXPIRIES.map((hours) => ({ value: String(hours), label: t(`withdrawal.hours.${hours}`) }))}
          onChange={(hours) => choose({ expireHours: Number(hours) })}
        />
        <TextField {...field('remark')} rows={2} count={REMARK_LIMIT} />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" disabled={outcome?.outcome === 'deny' || check?.valid === false} loading={isWaiting}>
          {t('withdrawal.form.review')}
        </Button>
      </DrawerFooter>
    </form>
  )
}

/** The unit of an amount, and a button that takes all there is. */
function AmountSuffix({ symbol, max, onTake }: { symbol: string | undefined; max: string | undefined; onTake: (max: string) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <span className="hf-amount-unit">{symbol}</span>
      <Button size="small" variant="quiet" disabled={max === undefined} onClick={() => max !== undefined && onTake(max)}>
        {t('withdrawal.form.max')}
      </Button>
    </>
  )
}
