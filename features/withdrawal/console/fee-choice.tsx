import { Amount, Note, TextField } from '@holdfast/ui'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { at } from '@holdfast/units'
import { capFault, type ChosenFee, feeOf, hasCaps, isFeeCovered, type Quote, spanOf } from './draft.ts'
import { Worth } from './worth.tsx'

type FeeChoiceProps = {
  quote: Quote
  /** Of the coin that pays the fee. */
  price?: string | null
  chosenFee: ChosenFee
  onChange: (chosenFee: ChosenFee) => void
  /** Somebody tried to go on: a missing cap is marked. */
  isTried: boolean
}

/** The fee: the most it may reach, to the last digit; in tiers with a custom cap where they differ, else in one line. */
export function FeeChoice({ quote, price, chosenFee, onChange, isTried }: FeeChoiceProps) {
  const { t } = useTranslation()
  const fee = feeOf(quote, chosenFee)
  return (
    <fieldset className="hf-fee-choice">
      <legend className="hf-label">{t('withdrawal.form.fee')}</legend>
      {hasCaps(quote) ? <Tiers {...{ quote, price, chosenFee, onChange, isTried }} /> : <Fee fee={at(quote.tiers, 0).fee} {...{ quote, price }} />}
      <FeeTerms quote={quote} chosen={chosenFee.tier} />
      <p className="hf-small hf-muted hf-row-tight">
        {t('withdrawal.form.feeBalance')} <Amount value={quote.fee_balance} unit={quote.fee_symbol} />
      </p>
      {fee !== undefined && !isFeeCovered(quote, fee) && <Note tone="bad">{t('withdrawal.form.feeMissing', { fee, symbol: quote.fee_symbol })}</Note>}
    </fieldset>
  )
}

function Fee({ quote, price, fee }: Pick<FeeChoiceProps, 'quote' | 'price'> & { fee: string }) {
  return (
    <span className="hf-row-tight">
      <Worth amount={fee} price={price} /> <Amount value={fee} unit={quote.fee_symbol} />
    </span>
  )
}

function Tiers({ quote, price, chosenFee, onChange, isTried }: FeeChoiceProps) {
  const { t } = useTranslation()
  const name = useId()
  const pick = (tier: ChosenFee['tier']) => onChange({ ...chosenFee, tier })
  return (
    <>
      <div className="hf-fees">
        {quote.tiers.map(({ tier, fee, eta_s: seconds }) => (
          <label key={tier} className="hf-fee">
            <input type="radio" name={name} checked={tier === chosenFee.tier} onChange={() => pick(tier)} />
            <span className="hf-fee-body">
              <span>
                {t(`withdrawal.tier.${tier}`)} {seconds !== null && <Span seconds={seconds} />}
              </span>
              <Fee {...{ quote, price, fee }} />
            </span>
          </label>
        ))}
        <label className="hf-fee">
          <input type="radio" name={name} checked={chosenFee.tier === 'custom'} onChange={() => pick('custom')} />
          <span className="hf-fee-body">{t('withdrawal.tier.custom')}</span>
        </label>
      </div>
      {chosenFee.tier === 'custom' && <CapField quote={quote} cap={chosenFee.cap} isTried={isTried} onChange={(cap) => onChange({ ...chosenFee, cap })} />}
    </>
  )
}

function Span({ seconds }: { seconds: number }) {
  const { t } = useTranslation()
  const { unit, count } = spanOf(seconds)
  return <span className="hf-small hf-muted">{t(`withdrawal.eta.${unit}`, { count })}</span>
}

const FAULTS = {
  shape: 'withdrawal.amount.shape',
  precision: 'withdrawal.amount.precision',
  low: 'withdrawal.cap.low',
  high: 'withdrawal.cap.high',
} as const

/** The most the fee may reach, as a person types it. */
function CapField({ quote, cap, isTried, onChange }: Pick<FeeChoiceProps, 'quote' | 'isTried'> & { cap: string; onChange: (cap: string) => void }) {
  const { t } = useTranslation()
  const fault = cap === '' && !isTried ? undefined : capFault(cap, quote)
  const bounds = { min: quote.cap_min, max: quote.cap_max, symbol: quote.fee_symbol, decimals: quote.fee_decimals }
  return (
    <TextField
      label={t('withdrawal.cap.label')}
      value={cap}
      onChange={(text) => onChange(text.trim())}
      error={fault && t(FAULTS[fault], bounds)}
      hint={t(quote.along === null && quote.tiers.some(({ eta_s: seconds }) => seconds !== null) ? 'withdrawal.cap.faster' : 'withdrawal.cap.note')}
      inputMode="decimal"
      autoComplete="off"
      className="hf-amount-input"
      suffix={<span className="hf-amount-unit">{quote.fee_symbol}</span>}
    />
  )
}

/** The chosen tier in the network's own terms: what would be taken now, from which resources, and whether the recipient's account must be created. */
function FeeTerms({ quote, chosen }: { quote: Quote; chosen: ChosenFee['tier'] }) {
  const { t } = useTranslation()
  const tier = quote.tiers.find((each) => each.tier === (chosen === 'custom' ? 'normal' : chosen))
  if (!tier) return null
  const { activation, expected, resources, eta_s: seconds } = tier
  return (
    <>
      {activation !== null && <Note tone="warn">{t('withdrawal.form.activation', { fee: activation, symbol: quote.fee_symbol })}</Note>}
      {resources.map(({ name, needed, available }) => (
        <p key={name} className="hf-small hf-muted">
          {t(`withdrawal.form.resource.${name}`, { needed, available })}
        </p>
      ))}
      {expected !== null && (
        <p className="hf-small hf-muted hf-row-tight">
          {t('withdrawal.form.expected')} <Amount value={expected} unit={quote.fee_symbol} />
        </p>
      )}
      {seconds === null && hasCaps(quote) && <p className="hf-small hf-muted">{t('withdrawal.form.noHurry')}</p>}
    </>
  )
}
