import { Label } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { PolicyDraft } from '../contract.ts'
import { hasPart, type Part, peopleOf, plainRules, type PolicyView, setPart, setThreshold, toggleKey } from './draft.ts'

type MatrixProps = { policy: PolicyView; draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }

/** Who has which part under each rule, how many must approve, and which keys come and go. */
export function DraftMatrix({ policy, draft, onChange }: MatrixProps) {
  const { t } = useTranslation('strategyEngine')
  return (
    <>
      {plainRules(policy).map((rule) => (
        <Quorum
          key={rule.id}
          title={t('ruleTitle', { rule: rule.id })}
          parts={[
            { part: { rule: rule.id, as: 'initiators' }, title: t('mayAsk') },
            { part: { rule: rule.id, as: 'approvers' }, title: t('mayApprove') },
          ]}
          threshold={draft.rules.find((each) => each.id === rule.id)?.threshold ?? 1}
          rule={rule.id}
          {...{ policy, draft, onChange }}
        />
      ))}
      <Quorum
        title={t('governance')}
        parts={[{ part: { rule: null, as: 'approvers' }, title: t('mayApprove') }]}
        threshold={draft.governance.threshold}
        rule={null}
        {...{ policy, draft, onChange }}
      />
      <Keys {...{ policy, draft, onChange }} />
    </>
  )
}

type QuorumProps = MatrixProps & { title: string; parts: readonly { part: Part; title: string }[]; threshold: number; rule: string | null }

function Quorum({ policy, draft, onChange, title, parts, threshold, rule }: QuorumProps) {
  const { t } = useTranslation('strategyEngine')
  const people = peopleOf(policy)
  return (
    <fieldset className="hf-fieldset hf-draft-rule">
      <legend>
        <Label text={title} />
      </legend>
      <div className="hf-table-scroll">
        <table className="hf-table hf-draft-table">
          <thead>
            <tr>
              <th scope="col">{t('matrix.person')}</th>
              {parts.map((each) => (
                <th key={each.part.as} scope="col">
                  {each.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.person_id}>
                <th scope="row">
                  <Label text={person.name} />
                  {!person.hasKey && <span className="hf-small hf-faint"> {t(person.newKeys.length > 0 ? 'matrix.newKey' : 'matrix.noKey')}</span>}
                </th>
                {parts.map(({ part, title: what }) => (
                  <td key={part.as}>
                    <input
                      type="checkbox"
                      className="hf-tick"
                      aria-label={t('matrix.tick', { name: person.name, what, where: title })}
                      checked={hasPart(draft, part, person.person_id)}
                      onChange={(event) => onChange(setPart(draft, part, person.person_id, event.target.checked, person.newKeys))}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <label className="hf-row-tight">
        {t('matrix.threshold')}
        <select
          className="hf-native-input"
          value={threshold}
          aria-label={t('matrix.thresholdOf', { where: title })}
          onChange={(event) => onChange(setThreshold(draft, rule, Number(event.target.value)))}
        >
          {Array.from({ length: Math.max(people.length, threshold) }, (_, at) => (
            <option key={at} value={at + 1}>
              {at + 1}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  )
}

function Keys({ policy, draft, onChange }: MatrixProps) {
  const { t } = useTranslation('strategyEngine')
  const made = policy.candidates.flatMap((each) => each.new_keys.map((key) => ({ ...key, name: each.name, list: 'add_keys' as const })))
  const known = policy.people.flatMap((each) => each.keys.map((key) => ({ ...key, name: each.name, list: 'drop_keys' as const })))
  const row = ({ list, key_id: id, name, label, fingerprint, page }: (typeof made)[number] | (typeof known)[number]) => (
    <label key={id} className="hf-draft-key">
      <input type="checkbox" className="hf-tick" checked={draft[list].includes(id)} onChange={() => onChange(toggleKey(draft, list, id))} />
      <span>
        <Label text={`${name}, ${label}`} />
        <code className="hf-break">{fingerprint}</code>
        {page !== null && <span className="hf-small hf-muted"> {t('matrix.keyAt', { page: new URL(page).host })}</span>}
      </span>
    </label>
  )
  return (
    <>
      {made.length > 0 && (
        <fieldset className="hf-fieldset">
          <legend>{t('matrix.newKeys')}</legend>
          <p className="hf-small hf-muted">{t('matrix.newKeysNote')}</p>
          {made.map(row)}
        </fieldset>
      )}
      <details>
        <summary>{t('matrix.oldKeys')}</summary>
        <p className="hf-small hf-muted">{t('matrix.oldKeysNote')}</p>
        {known.map(row)}
      </details>
    </>
  )
}
