import { Amount } from '@holdfast/ui'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Quote, Tier } from './draft.ts'

type FeeChoiceProps = { quote: Quote; chosen: Tier['tier']; onChange: (tier: Tier['tier']) => void }

/** The fee in its tiers: the most it may reach, to the last digit, and how long it takes. */
export function FeeChoice({ quote, chosen, onChange }: FeeChoiceProps) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className="hf-fee-choice">
      <legend className="hf-label">{t('withdrawal.form.fee')}</legend>
      <div className="hf-fees">
        {quote.tiers.map(({ tier, fee, eta_s: seconds }) => (
          <label key={tier} className="hf-fee">
            <input type="radio" name={name} checked={tier === chosen} onChange={() => onChange(tier)} />
            <span className="hf-fee-body">
              <span>
                {t(`withdrawal.tier.${tier}`)} <span className="hf-small hf-muted">{t('withdrawal.form.eta', { seconds })}</span>
              </span>
              <Amount value={fee} unit={quote.fee_symbol} />
            </span>
          </label>
        ))}
      </div>
      <p className="hf-small hf-muted hf-row-tight">
        {t('withdrawal.form.feeBalance')} <Amount value={quote.fee_balance} unit={quote.fee_symbol} />
      </p>
    </fieldset>
  )
}
