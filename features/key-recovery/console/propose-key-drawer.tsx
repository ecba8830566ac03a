import { useUserInfo } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, Note, requestIdKeeper, SelectField, TextField, useDrawerPage, useSend } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listKeyChanges, listKeys, proposeKeyChange } from '../contract.ts'
import type { KeyView } from './key-card.tsx'
import { Proposed } from './proposed.tsx'
import { RepairWalk } from './repair-walk.tsx'

const idOf = requestIdKeeper()

/** What an order for new shares will do and what it needs, before it is proposed. */
export function ProposeKeyDrawer({ of, action }: { of: KeyView; action: 'refresh' | 'repair' }) {
  const { t } = useTranslation('privateKeyRecovery')
  const { close } = useDrawerPage()
  const user = useUserInfo()
  // The signer that holds no share of this epoch is the one a repair is for.
  const [party, setParty] = useState(() => of.signers.find(({ online, active }) => online && active !== of.epoch)?.party ?? 3)
  const [code, setCode] = useState('')
  const propose = useSend(proposeKeyChange, { refresh: [listKeys, listKeyChanges] })
  const needsCode = user.data?.google_bind === true
  if (propose.data) return <Proposed url={propose.data.approval_url} onClose={() => close()} />
  const asked = { wallet_id: of.wallet_id, action, ...(action === 'repair' ? { party } : {}) }
  const send = () => propose.mutate({ request_id: idOf({ ...asked, epoch: of.epoch }), ...asked, ...(needsCode ? { google_code: code } : {}) })
  return (
    <>
      <DrawerBody>
        <Note tone={action === 'repair' ? 'warn' : 'info'}>{t(`asks.${action}.note`)}</Note>
        <ul className="hf-bullets">
          {(['first', 'second', 'third'] as const).map((each) => (
            <li key={each}>{t(`asks.${action}.${each}`)}</li>
          ))}
        </ul>
        {action === 'repair' && (
          <SelectField
            label={t('repair.party')}
            value={String(party)}
            onChange={(chosen) => setParty(Number(chosen))}
            options={of.signers.map((signer) => ({ value: String(signer.party), label: `${signer.party} – ${signer.name}` }))}
          />
        )}
        {action === 'repair' && <RepairWalk party={party} signers={of.signers} />}
        {needsCode && <TextField label={t('code')} value={code} onChange={setCode} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button variant="primary" loading={propose.isPending} disabled={needsCode && !/^\d{6}$/.test(code)} onClick={send}>
          {t('propose')}
        </Button>
      </DrawerFooter>
    </>
  )
}
