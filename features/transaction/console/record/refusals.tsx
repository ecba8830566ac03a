import { Note, Time } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Withdrawal } from './payment-facts.tsx'

/** Which signer refused, at which of its checks, and why. */
export function Refusals({ refusals }: { refusals: Withdrawal['refusals'] }) {
  const { t } = useTranslation()
  return (
    <Note tone="bad" title={t('transaction.refusal.title')}>
      <ul className="hf-refusals">
        {refusals.map((refusal, at) => (
          <li key={at}>
            <p>
              <strong>{refusal.signer}</strong> · {t(`evidence.check.${refusal.check}`, { defaultValue: refusal.check })} <code>{refusal.check}</code>
            </p>
            <p>{refusal.reason}</p>
            <p className="hf-small hf-muted">
              <Time ms={refusal.at} />
            </p>
          </li>
        ))}
      </ul>
    </Note>
  )
}
