import './keys.css'
import type { OutputOf } from '@holdfast/contract'
import { Button, Label, Note, type NoteTone, RelativeTime, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { listKeyReminders } from '../contract.ts'
import { openExportDetail } from './open-key-drawers.tsx'

type Reminder = OutputOf<typeof listKeyReminders>['list'][number]

const TONES: Record<Reminder['kind'], NoteTone> = {
  drill_first: 'info',
  drill_soon: 'info',
  drill_overdue: 'bad',
  check_failed: 'bad',
  check_late: 'warn',
  export_accept: 'warn',
  export_ready: 'info',
}

/** What is to be done about keys that no approval page asks for, each with the way to do it. Nothing if there is nothing. */
export function KeyReminders({ only }: { only?: 'exports' }) {
  const { t } = useTranslation('privateKeyRecovery')
  const { data } = useEndpoint(listKeyReminders, {})
  const list = (data?.list ?? []).filter((each) => only === undefined || each.item_id !== null)
  if (list.length === 0) return null
  return (
    <ul className="hf-key-reminders" aria-label={t('reminder.label')}>
      {list.map((each) => (
        <li key={`${each.kind}-${each.item_id ?? each.wallet_id}-${each.key_kind}`}>
          <ReminderNote of={each} />
        </li>
      ))}
    </ul>
  )
}

function ReminderNote({ of }: { of: Reminder }) {
  const { t } = useTranslation('privateKeyRecovery')
  const drawers = useDrawers()
  const navigate = useNavigate()
  const itemId = of.item_id
  return (
    <Note tone={TONES[of.kind]} title={t(`reminder.${of.kind}.title`, { party: of.party ?? '' })}>
      <div className="hf-spread">
        <span>
          <Label text={of.wallet_name} />
          {of.key_kind !== null && ` · ${t(`protocol.${of.key_kind}`)}`}
          {of.at !== null && (
            <>
              {' · '}
              {t(`reminder.${of.kind}.when`)} <RelativeTime ms={of.at} />
            </>
          )}
          {' · '}
          {t(`reminder.${of.kind}.text`)}
        </span>
        {itemId === null ? (
          <Button size="small" onClick={() => void navigate('/mpc/center/wallet/keyRecovery')}>
            {t('reminder.toKeys')}
          </Button>
        ) : (
          <Button size="small" onClick={() => openExportDetail(drawers, itemId, t('export.detail'))}>
            {t('reminder.open')}
          </Button>
        )}
      </div>
    </Note>
  )
}
