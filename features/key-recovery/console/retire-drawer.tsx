import { Checkbox, Note, TextField } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { proposeRetirement } from '../contract.ts'
import type { KeyView } from './key-card.tsx'
import { ProposeForm } from './propose-form.tsx'

const REASON_MAX = 200

/** What it means to retire a key, before it is proposed. */
export function RetireDrawer({ of, what }: { of: KeyView; what: string }) {
  const { t } = useTranslation('privateKeyRecovery')
  const [reason, setReason] = useState('')
  const [leaves, setLeaves] = useState(false)
  const [typed, setTyped] = useState('')
  const propose = useSend(proposeRetirement)
  const asked = { wallet_id: of.wallet_id, key_kind: of.key_kind, reason, leave_holdings: leaves }
  return (
    <ProposeForm
      what={what}
      asked={{ ...asked, epoch: of.epoch }}
      sending={propose}
      send={(sent) => propose.mutate({ ...sent, ...asked })}
      missing={typed.trim() === of.wallet_name ? undefined : t('retire.missing')}
    >
      <Note tone="warn">{t('retire.note')}</Note>
      <ul className="hf-bullets">
        {(['first', 'second', 'third'] as const).map((each) => (
          <li key={each}>{t(`retire.${each}`)}</li>
        ))}
      </ul>
      <TextField label={t('export.reason')} value={reason} onChange={setReason} rows={2} maxLength={REASON_MAX} />
      <Checkbox checked={leaves} onChange={setLeaves}>
        {t('retire.leave')}
      </Checkbox>
      <TextField label={t('retire.type', { wallet: of.wallet_name })} value={typed} onChange={setTyped} autoComplete="off" />
    </ProposeForm>
  )
}
