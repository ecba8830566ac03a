import { useUserInfo } from '@holdfast/features/session/console'
import { Button, Checkbox, DrawerBody, DrawerFooter, Note, requestIdKeeper, TextField, useDrawerPage, useSend } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listKeyChanges, listKeys, proposeRetirement } from '../contract.ts'
import type { KeyView } from './key-card.tsx'
import { Proposed } from './proposed.tsx'

const idOf = requestIdKeeper()
const REASON_MAX = 200

/** What it means to retire a key, before it is proposed. */
export function RetireDrawer({ of }: { of: KeyView }) {
  const { t } = useTranslation('privateKeyRecovery')
  const { close } = useDrawerPage()
  const user = useUserInfo()
  const [reason, setReason] = useState('')
  const [leaves, setLeaves] = useState(false)
  const [code, setCode] = useState('')
  const propose = useSend(proposeRetirement, { refresh: [listKeys, listKeyChanges] })
  const needsCode = user.data?.google_bind === true
  if (propose.data) return <Proposed url={propose.data.approval_url} onClose={() => close()} />
  const asked = { wallet_id: of.wallet_id, reason, leave_holdings: leaves }
  const send = () => propose.mutate({ request_id: idOf({ ...asked, epoch: of.epoch }), ...asked, ...(needsCode ? { google_code: code } : {}) })
  return (
    <>
      <DrawerBody>
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
        {needsCode && <TextField label={t('code')} value={code} onChange={setCode} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button variant="danger" loading={propose.isPending} disabled={needsCode && !/^\d{6}$/.test(code)} onClick={send}>
          {t('propose')}
        </Button>
      </DrawerFooter>
    </>
  )
}
