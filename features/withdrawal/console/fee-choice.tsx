import { Amount, Note } from '@holdfast/ui'
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
                {t(`withdrawal.tier.${tier}`)} {seconds !== null && <span className="hf-small hf-muted">{t('withdrawal.form.eta', { seconds })}</span>}
              </span>
              <Amount value={fee} unit={quote.fee_symbol} />
            </span>
          </label>
        ))}
      </div>
      <FeeTerms quote={quote} chosen={chosen} />
      <p className="hf-small hf-muted hf-row-tight">
        {t('withdrawal.form.feeBalance')} <Amount value={quote.fee_balance} unit={quote.fee_symbol} />
      </p>
    </fieldset>
  )
}

/** The chosen tier in the network's own terms: what would be taken now, of which resources, and whether the recipient's account has to be made. */
function FeeTerms({ quote, chosen }: Pick<FeeChoiceProps, 'quote' | 'chosen'>) {
  const { t } = useTranslation()
  const tier = quote.tiers.find((each) => each.tier === chosen)
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
      {seconds === null && <p className="hf-small hf-muted">{t('withdrawal.form.noHurry')}</p>}
    </>
  )
}
