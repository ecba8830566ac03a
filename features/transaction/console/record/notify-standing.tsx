import { StatusTag, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Row } from '../row.ts'

const TONES: Record<NonNullable<Row['notify']>['status'], Tone> = { failed: 'bad', retrying: 'active', stopped: 'neutral', success: 'good' }

/** How the notifications of a payment or deposit stand: the worst of them, and how many arrived. */
export function NotifyStanding({ row: { notify } }: { row: Pick<Row, 'notify'> }) {
  const { t } = useTranslation()
  if (notify === null) return <span className="hf-faint">--</span>
  return <StatusTag tone={TONES[notify.status]} text={t(`transaction.notify.${notify.status}`)} next={t('transaction.notify.arrived', notify)} />
}
