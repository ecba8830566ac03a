import { Note, SelectField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyDraft } from '../contract.ts'
import { linesOf } from './draft-rule-parts.tsx'
import { OFFICERS_NEEDED_MAX, officersFault, setOfficers } from './officers.ts'

const SIGNERS = [1, 2, 3] as const

/** Other officers in the place of those who open the recovery share of a signer: all of them by their recipients, and how many open it together. */
export function ReplaceOfficers({ draft, onChange }: { draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }) {
  const { t } = useTranslation('strategyEngine')
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({})
  const fault = officersFault(draft)
  return (
    <section className="hf-stack" aria-labelledby="replace-officers">
      <h3 id="replace-officers">{t('officers.title')}</h3>
      <p className="hf-small hf-muted">{t('officers.note')}</p>
      {SIGNERS.map((party) => {
        const own = draft.recovery?.find((each) => each.party === party)
        return (
          <div key={party} className="hf-stack-tight">
            <TextField
              label={t('officers.recipients', { party })}
              value={typed[party] ?? ''}
              onChange={(text) => {
                setTyped({ ...typed, [party]: text })
                onChange(setOfficers(draft, party, linesOf(text), own?.threshold ?? 1))
              }}
              rows={2}
              className="hf-mono"
              placeholder="age1…"
              {...(fault?.party === party && { error: t(`officers.fault.${fault.what}`) })}
            />
            {own && (
              <SelectField
                label={t('officers.needed', { party })}
                value={String(own.threshold)}
                onChange={(chosen) => onChange(setOfficers(draft, party, own.recipients, Number(chosen)))}
                options={Array.from({ length: OFFICERS_NEEDED_MAX }, (_, at) => ({ value: String(at + 1), label: t('officers.neededOf', { count: at + 1 }) }))}
              />
            )}
          </div>
        )
      })}
      {draft.recovery && <Note tone="warn">{t('officers.after')}</Note>}
    </section>
  )
}
