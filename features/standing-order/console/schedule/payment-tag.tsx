import { StatusTag, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { PAYMENT_STATES } from '../../contract.ts'

type PaymentState = (typeof PAYMENT_STATES)[number]

const TONES: Record<PaymentState, Tone> = {
  planned: 'neutral',
  late: 'warn',
  under_way: 'active',
  paid: 'good',
  skipped: 'bad',
  failed: 'bad',
  ended: 'neutral',
}

/** How it stands with a date of a schedule. */
export function PaymentTag({ state }: { state: PaymentState }) {
  const { t } = useTranslation('coSigner')
  return <StatusTag tone={TONES[state]} text={t(`standing.payment.state.${state}`)} />
}
