import { coinOption } from '@holdfast/features/network/console'
import { PolicyOutcome } from '@holdfast/features/policy/console'
import type { PaymentCode } from '@holdfast/chain-core/payment-code'
import { formatAmount } from '@holdfast/units'
import {
  Amount,
  Button,
  Checkbox,
  DrawerBody,
  DrawerFooter,
  ErrorState,
  Note,
  REMARK_LIMIT,
  PickField,
  SelectField,
  TextField,
  useDrawerPage,
  useTextForm,
} from '@holdfast/ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { DestinationFacts } from './destination-facts.tsx'
import { DestinationField } from './destination-field.tsx'
import {
  amountFault,
  type Bounds,
  type Coin,
  coinKey,
  type Draft,
  type ChosenFee,
  memoExcess,
  mostOf,
  sendable,
  unitOf,
  warningsOf,
  withinRules,
} from './draft.ts'
import type { Warning } from '../contract.ts'
import { FeeChoice } from './fee-choice.tsx'
import { FromField, usePayFrom } from './from-field.tsx'
import { LabelFields, labelRules } from '@holdfast/features/transaction/console'
import { usePermission } from '@holdfast/features/session/console'
import { paySeveralPath, schedulePath } from '@holdfast/features/wallet/console'
import type { WithdrawTarget } from './open-withdraw-drawer.tsx'
import { FeeBalance, PaymentLimits, useMostPayable } from './payment-limits.tsx'
import { paysSeveral } from './several/several-coin.ts'
import { useAnswers } from './use-answers.ts'
import { useCheckFault } from './use-check-fault.ts'
import { Worth } from './worth.tsx'

type Choices = { coin: string; from?: string | undefined; chosenFee: ChosenFee; isGross: boolean; expireHours: number; acknowledged: readonly Warning[] }

type WithdrawFormProps = {
  subWallet: { id: string; name: string }
  coins: readonly Coin[]
  /** What coins are worth, those that pay fees among them. */
  prices: readonly Coin[]
  firstCoin: Pick<Coin, 'chain' | 'symbol' | 'token_id'>
  again: WithdrawTarget['again']
  kept: WithdrawTarget['kept']
  /** What was filled in before, when the person comes back from the review. */
  draft: Draft | undefined
  /** Keeps the input, in case the person is signed out meanwhile. */
  keep: (target: WithdrawTarget) => void
  onReview: (draft: Draft) => void
}

/** The input of the form. */
type Filled = Record<'to' | 'memo' | 'amount' | 'remark' | 'category' | 'tags', string>

const EXPIRIES = [24, 72, 168] as const

function firstChoices({ firstCoin, draft, kept }: Pick<WithdrawFormProps, 'firstCoin' | 'draft' | 'kept'>): Choices {
  if (!draft) return { coin: coinKey(firstCoin), chosenFee: { tier: 'normal', cap: '' }, isGross: false, expireHours: 168, acknowledged: [], ...kept }
  const { coin, from, chosenFee, isGross, expireHours, check } = draft
  return { coin: coinKey(coin), ...(from !== undefined && { from }), chosenFee, isGross, expireHours, acknowledged: warningsOf(check) }
}

/** The form of a payment. Input is checked while it is typed; nothing is sent from here. */
export function WithdrawForm({ subWallet, coins, prices, firstCoin, again, kept, draft, keep, onReview }: WithdrawFormProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const checkFault = useCheckFault()
  const maySchedule = usePermission('policy.propose')
  const [choices, setChoices] = useState(() => firstChoices({ firstCoin, draft, kept }))
  const choose = (next: Partial<Choices>) => setChoices((present) => ({ ...present, ...next }))
  const whole = coins.find((each) => coinKey(each) === choices.coin)
  const { payFrom, isPending: isFromPending } = usePayFrom(subWallet.id, whole, choices.from)
  const from = payFrom?.payer.address
  // An address pays what it has itself.
  const coin = whole && payFrom ? { ...whole, normal_balance: payFrom.payer.available } : whole
  // The balance of a coin changes while the form is open, by a deposit that became final or another order: the amount is checked anew.
  const judge = (text: string, of = coin, bounds: Bounds = {}) => {
    const fault = of && amountFault(text.trim(), of, bounds)
    return fault && t(`withdrawal.amount.${fault}`, { decimals: of.decimals, least: `${bounds.least} ${unitOf(of)}`, most: `${bounds.most} ${unitOf(of)}` })
  }
  const isGross = choices.isGross && coin?.contract_address === null
  const { form, field, valueOf, set, isTried, submit } = useTextForm(
    {
      to: { label: t('withdrawal.form.to') },
      memo: { label: t('withdrawal.form.memo'), optional: true },
      amount: { label: t('withdrawal.form.amount'), check: (text) => judge(text) },
      remark: { label: t('withdrawal.form.remark'), optional: true },
      ...labelRules(t),
    },
    coin?.isSingle ? { ...(draft ?? again), amount: '1' } : (draft ?? again),
  )
  const filled = {
    to: valueOf('to'),
    memo: valueOf('memo'),
    amount: valueOf('amount'),
    remark: valueOf('remark'),
    category: valueOf('category'),
    tags: valueOf('tags'),
  }
  // After every change: a session can end at any moment.
  useEffect(() => {
    if (coin === undefined || Object.values(filled).every((each) => each === '')) return
    const { chosenFee, expireHours } = choices
    const chosen = { chosenFee, isGross, expireHours, ...(choices.from !== undefined && { from: choices.from }) }
    const target = { subWallet, coin, ...(coin.token_id !== undefined && { token: coin }) }
    keep({ ...target, again: filled, kept: chosen })
  })
  const typedAmount = valueOf('amount').trim()
  const asked = { subWalletId: subWallet.id, coin, from, to: valueOf('to'), memo: valueOf('memo'), amount: typedAmount, isGross, chosenFee: choices.chosenFee }
  const { check, quote, fee, paid, outcome, isWaiting, failed } = useAnswers(asked)
  const most = quote && mostOf(quote, isGross, fee)
  const paying = { subWalletId: subWallet.id, from, to: check?.canonical ?? undefined, memo: valueOf('memo').trim() }
  const payable = useMostPayable({ ...paying, coin })
  const offered = coin && most && withinRules(most, payable, coin, isGross ? fee : undefined)
  const bounds = { fee: isGross ? fee : undefined, least: quote?.min_withdraw, most }
  const amountWrong = typedAmount === '' ? undefined : judge(typedAmount, coin && sendable(coin, quote), bounds)
  const warnings = check?.valid ? warningsOf(check) : []
  const isSelf = check?.own?.sub_wallet_id === subWallet.id
  const feePrice = prices.find((each) => each.chain === coin?.chain && each.contract_address === null)?.price ?? null
  const memoMax = check?.memo_max ?? null
  const excess = memoMax === null ? undefined : memoExcess(valueOf('memo'), memoMax)
  const review = ({ to, memo, amount, remark, category, tags }: Filled) => {
    const { chosenFee, expireHours, acknowledged } = choices
    if (
      isWaiting ||
      isFromPending ||
      isSelf ||
      amountWrong !== undefined ||
      excess !== undefined ||
      !coin ||
      !check?.valid ||
      !quote ||
      outcome?.outcome !== 'needs'
    )
      return
    if (fee === undefined || paid === undefined || !warnings.every((each) => acknowledged.includes(each))) return
    const typed = { to: to.trim(), memo: memoMax === null ? '' : memo.trim(), amount: amount.trim(), remark: remark.trim() }
    const label = { category: category.trim(), tags: tags.trim() }
    const cost = { chosenFee, fee, feeSymbol: quote.fee_symbol, feePrice, along: quote.along }
    onReview({ coin, from, check, ...typed, ...label, isGross, paid, ...cost, expireHours, outcome })
  }
  // Each coin is at addresses of its own.
  const chooseCoin = (next: string) => choose({ coin: next, from: undefined, acknowledged: [] })
  // An acknowledgement for one address says nothing about another.
  const takeAddress = (to: string) => {
    set('to', to)
    choose({ acknowledged: [] })
  }
  const takeContact = ({ address, memo }: { address: string; memo: string }) => {
    takeAddress(address)
    set('memo', memo)
  }
  const takeCode = ({ to, memo = '', amount }: PaymentCode) => {
    takeContact({ address: to, memo })
    if (amount === undefined || !coin) return
    set('amount', formatAmount(amount, coin.decimals))
    // The recipient who made the code must get all of it.
    choose({ isGross: false })
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, review)}>
      <DrawerBody>
        <PickField
          label={t(coin?.token_id === undefined ? 'withdrawal.form.coin' : 'withdrawal.form.token')}
          value={choices.coin}
          options={coins.map((each) => coinOption(coinKey(each), unitOf(each), each))}
          onChange={chooseCoin}
          hint={coin && !coin.isSingle && <Available coin={sendable(coin, quote)} />}
        />
        {coin && payFrom && <FromField payFrom={payFrom} coin={coin} onChange={(next) => choose({ from: next })} />}
        {coin && coin.token_id === undefined && paysSeveral(coin) && (
          <Link className="hf-small" to={paySeveralPath(subWallet.id, coin)}>
            {t('withdrawal.several.title')}
          </Link>
        )}
        {maySchedule && coin && coin.token_id === undefined && (
          <Link className="hf-small" to={schedulePath(coin)} state={{ subWallet }}>
            {t('withdrawal.form.schedule')}
          </Link>
        )}
        <div className="hf-destination">
          <DestinationField
            {...field('to')}
            error={isSelf ? t('withdrawal.to.fault.self') : (checkFault(check, valueOf('to')) ?? field('to').error)}
            fromId={subWallet.id}
            coin={coin}
            coins={coins}
            onChange={takeAddress}
            onTake={takeContact}
            onCode={takeCode}
            onSwitch={(next) => chooseCoin(coinKey(next))}
          />
          {check && !isSelf && (check.valid || check.is_lost) && (
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
        {!coin?.isSingle && (
          <TextField
            {...field('amount')}
            label={t(coin?.token_id === undefined ? 'withdrawal.form.amount' : 'withdrawal.form.pieces')}
            {...(amountWrong === undefined ? {} : { error: amountWrong })}
            hint={coin && <Worth amount={typedAmount} price={coin.price} />}
            inputMode="decimal"
            autoComplete="off"
            className="hf-amount-input"
            suffix={<AmountSuffix symbol={coin && unitOf(coin)} max={offered} onTake={(max) => set('amount', max)} />}
          />
        )}
        {coin?.contract_address === null && (
          <div className="hf-stack-tight">
            <Checkbox checked={isGross} onChange={(next) => choose({ isGross: next })}>
              {t('withdrawal.form.gross')}
            </Checkbox>
            {isGross && quote && paid !== undefined && (
              <p className="hf-small hf-muted hf-row-tight">
                {t('withdrawal.form.paid')} <Amount value={paid} unit={unitOf(coin)} />
              </p>
            )}
          </div>
        )}
        {coin && quote?.along != null && (
          <Note>{t('withdrawal.form.inscribes', { most: quote.max_withdraw, symbol: unitOf(coin), along: quote.along, coin: quote.fee_symbol })}</Note>
        )}
        {quote && <FeeChoice quote={quote} price={feePrice} chosenFee={choices.chosenFee} isTried={isTried} onChange={(chosenFee) => choose({ chosenFee })} />}
        {coin && !quote && coin.contract_address !== null && coin.token_id === undefined && <FeeBalance subWalletId={subWallet.id} coin={coin} />}
        {outcome && <PolicyOutcome outcome={outcome} />}
        {coin && outcome && paid !== undefined && <PaymentLimits {...paying} coin={coin} amount={paid} ruleId={outcome.rule_id} />}
        {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
        <SelectField
          label={t('withdrawal.form.expires')}
          value={String(choices.expireHours)}
          options={EXPIRIES.map((hours) => ({ value: String(hours), label: t(`withdrawal.hours.${hours}`) }))}
          onChange={(hours) => choose({ expireHours: Number(hours) })}
        />
        <TextField {...field('remark')} rows={2} count={REMARK_LIMIT} />
        <LabelFields field={field} />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" disabled={outcome?.outcome === 'deny' || check?.valid === false || isSelf} loading={isWaiting || isFromPending}>
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

function Available({ coin }: { coin: Coin }) {
  const { t } = useTranslation()
  return (
    <span className="hf-row-tight">
      {t('withdrawal.form.available')} <Amount value={coin.normal_balance} unit={unitOf(coin)} />
    </span>
  )
}
