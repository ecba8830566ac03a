import { listMembers } from '@holdfast/features/team/contract'
import { Note, SelectField, TextField } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { applyForExport } from '../contract.ts'
import { canApply, type HolderDraft, holdersOf } from './export-form.ts'
import type { KeyView } from './key-card.tsx'
import { ProposeForm } from './propose-form.tsx'

const MEMBERS_SHOWN = 100
const REASON_MAX = 200

/** Asks to export a key: to whom each signer seals its share, and why. */
export function ExportDrawer({ of, what }: { of: KeyView; what: string }) {
  const { t } = useTranslation('privateKeyRecovery')
  const { data: members } = useEndpoint(listMembers, { state: 'active', page_no: 1, page_size: MEMBERS_SHOWN })
  const [drafts, setDrafts] = useState<HolderDraft[]>(() => of.signers.map(({ party }) => ({ party, personId: '', recipient: '' })))
  const [reason, setReason] = useState('')
  const apply = useSend(applyForExport)
  const change = (party: number, changes: Partial<HolderDraft>) =>
    setDrafts((all) => all.map((each) => (each.party === party ? { ...each, ...changes } : each)))
  const asked = { wallet_id: of.wallet_id, key_kind: of.key_kind, reason, holders: holdersOf(drafts) }
  const people = [{ value: '', label: t('export.nobody') }, ...(members?.list ?? []).map((each) => ({ value: each.user_id, label: each.nick_name }))]
  return (
    <ProposeForm
      what={what}
      asked={{ ...asked, epoch: of.epoch }}
      sending={apply}
      send={(sent) => apply.mutate({ ...sent, ...asked })}
      missing={canApply(drafts) ? undefined : t('export.missing')}
    >
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
    </ProposeForm>
  )
}
