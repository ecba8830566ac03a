import { useUserInfo } from '@holdfast/features/session/console'
import { listMembers } from '@holdfast/features/team/contract'
import { Button, DrawerBody, DrawerFooter, Note, requestIdKeeper, SelectField, TextField, useDrawerPage, useEndpoint, useSend } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { applyForExport, listKeyChanges, listKeys } from '../contract.ts'
import { canApply, type HolderDraft, holdersOf } from './export-form.ts'
import type { KeyView } from './key-card.tsx'
import { Proposed } from './proposed.tsx'

const idOf = requestIdKeeper()
const MEMBERS_SHOWN = 100
const REASON_MAX = 200

/** Asks to export a key: to whom each signer seals its share, and why. */
export function ExportDrawer({ of }: { of: KeyView }) {
  const { t } = useTranslation('privateKeyRecovery')
  const { close } = useDrawerPage()
  const user = useUserInfo()
  const { data: members } = useEndpoint(listMembers, { state: 'active', page_no: 1, page_size: MEMBERS_SHOWN })
  const [drafts, setDrafts] = useState<HolderDraft[]>(() => of.signers.map(({ party }) => ({ party, personId: '', recipient: '' })))
  const [reason, setReason] = useState('')
  const [code, setCode] = useState('')
  const apply = useSend(applyForExport, { refresh: [listKeys, listKeyChanges] })
  const needsCode = user.data?.google_bind === true
  if (apply.data) return <Proposed url={apply.data.approval_url} onClose={() => close()} />
  const change = (party: number, changes: Partial<HolderDraft>) =>
    setDrafts((all) => all.map((each) => (each.party === party ? { ...each, ...changes } : each)))
  const asked = { wallet_id: of.wallet_id, reason, holders: holdersOf(drafts) }
  const send = () => apply.mutate({ request_id: idOf({ ...asked, epoch: of.epoch }), ...asked, ...(needsCode ? { google_code: code } : {}) })
  const people = [{ value: '', label: t('export.nobody') }, ...(members?.list ?? []).map((each) => ({ value: each.user_id, label: each.nick_name }))]
  return (
    <>
      <DrawerBody>
        <Note tone="warn">{t('export.note')}</Note>
        <ul className="hf-bullets">
          {(['first', 'second', 'third'] as const).map((each) => (
            <li key={each}>{t(`export.${each}`)}</li>
          ))}
        </ul>
        {drafts.map(({ party, personId, recipient }) => (
          <fieldset key={party} className="hf-key-holder">
            <legend>{t('export.signer', { party })}</legend>
            <SelectField label={t('export.person')} value={personId} onChange={(chosen) => change(party, { personId: chosen })} options={people} />
            <TextField
              label={t('export.recipient')}
              value={recipient}
              onChange={(text) => change(party, { recipient: text.trim() })}
              rows={2}
              className="hf-mono"
              placeholder="age1…"
            />
          </fieldset>
        ))}
        <TextField label={t('export.reason')} value={reason} onChange={setReason} rows={2} maxLength={REASON_MAX} />
        {needsCode && <TextField label={t('code')} value={code} onChange={setCode} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button variant="danger" loading={apply.isPending} disabled={!canApply(drafts) || (needsCode && !/^\d{6}$/.test(code))} onClick={send}>
          {t('propose')}
        </Button>
      </DrawerFooter>
    </>
  )
}
