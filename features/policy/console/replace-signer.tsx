import { Note, SelectField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { PolicyDraft } from '../contract.ts'
import { newcomerFault, type PolicyView } from './draft.ts'

type Newcomer = NonNullable<PolicyDraft['replace_signer']>

/** A machine with a key of its own in the place of one signer: which one, and what its operator read aloud. */
export function ReplaceSigner({ policy, draft, onChange }: { policy: PolicyView; draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }) {
  const { t } = useTranslation('strategyEngine')
  const { replace_signer: newcomer, ...rest } = draft
  const fault = newcomerFault(draft, policy)
  const choose = (party: string) =>
    onChange(party === '' ? rest : { ...rest, replace_signer: { name: '', operator: '', sign_key: '', ...newcomer, party: Number(party) } })
  const put = (changes: Partial<Newcomer>) => newcomer && onChange({ ...rest, replace_signer: { ...newcomer, ...changes } })
  const options = policy.signers.map(({ party, name, operator }) => ({ value: String(party), label: `${party} – ${name} (${operator})` }))
  return (
    <section className="hf-stack" aria-labelledby="replace-signer">
      <h3 id="replace-signer">{t('replace.title')}</h3>
      <SelectField
        label={t('replace.party')}
        value={newcomer ? String(newcomer.party) : ''}
        onChange={choose}
        options={[{ value: '', label: t('replace.nobody') }, ...options]}
      />
      {newcomer && (
        <>
          <Note tone="warn">{t('replace.note')}</Note>
          <TextField label={t('replace.name')} value={newcomer.name} onChange={(name) => put({ name })} maxLength={60} />
          <TextField label={t('replace.operator')} value={newcomer.operator} onChange={(operator) => put({ operator })} maxLength={60} />
          <TextField
            label={t('replace.key')}
            hint={t('replace.keyHint')}
            value={newcomer.sign_key}
            onChange={(key) => put({ sign_key: key.replace(/\s/g, '').toLowerCase() })}
            wraps
            {...(fault === 'badKey' || fault === 'knownKey' ? { error: t(`replace.${fault}`) } : {})}
          />
        </>
      )}
    </section>
  )
}
