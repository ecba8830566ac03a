import { Label, Note, RelativeTime, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { changeQuorums } from '../contract.ts'
import type { PolicyView } from './draft.ts'

export type Change = NonNullable<PolicyView['open_change']>

export const CHANGE_TONES: Record<Change['state'], Tone> = {
  approving: 'warn',
  approved: 'active',
  applied: 'good',
  rejected: 'bad',
  refused: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
  superseded: 'neutral',
}

/** The orders that a change closes without payment once it is in force. */
export function ClosedOrders({ closes }: Pick<Change, 'closes'>) {
  const { t } = useTranslation('strategyEngine')
  if (closes === null || closes.count === 0) return null
  const more = closes.count - closes.named.length
  return (
    <Note tone="warn" title={t('closes.title', { count: closes.count })}>
      <p>{t('closes.note')}</p>
      <ul className="hf-bullets">
        {closes.named.map(({ id, title }) => (
          <li key={id} className="hf-break">
            <Label text={title} wrap />
          </li>
        ))}
        {more > 0 && <li>{t('closes.more', { count: more })}</li>}
      </ul>
    </Note>
  )
}

/** What a change changes, a line for each difference. */
export function ChangeLines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="hf-bullets hf-policy-lines">
      {lines.map((line, at) => (
        <li key={at}>
          <Label text={line} wrap />
        </li>
      ))}
    </ul>
  )
}

type Person = { person_id: string; name: string }

/** People by name, one below the other. */
export function Persons({ people }: { people: readonly Person[] }) {
  return (
    <ul className="hf-persons">
      {people.map((each) => (
        <li key={each.person_id} className="hf-person">
          <Label text={each.name} wrap />
        </li>
      ))}
    </ul>
  )
}

/** Whose approvals a change needs, and how many of them. */
export function Quorums({ quorums }: { quorums: readonly { name: (typeof changeQuorums)[number]; need: number; people: readonly Person[] }[] }) {
  const { t } = useTranslation('strategyEngine')
  return quorums.map(({ name, need, people }) => (
    <div key={name} className="hf-stack-tight">
      <p className="hf-small">
        <strong>{t(`quorum.${name}`)}</strong> {t('propose.needs', { count: need })}
      </p>
      <Persons people={people} />
    </div>
  ))
}

/** The state of a change as people read it: an approved one may wait at the signers. */
export const stateOf = ({ state, waits_until }: Pick<Change, 'state' | 'waits_until'>) => (waits_until === null ? state : 'waiting')

/** How long a change still waits that loosens the policy, and whose no stops it meanwhile. */
export function Waiting({ change: { waits_until: until, may_stop: people } }: { change: Pick<Change, 'waits_until' | 'may_stop'> }) {
  const { t } = useTranslation('strategyEngine')
  if (until === null) return null
  return (
    <div className="hf-stack-tight">
      <p className="hf-small">
        <strong>{t('change.waits')}</strong> <RelativeTime ms={until} />
      </p>
      {people.length > 0 && (
        <p className="hf-small hf-muted hf-row-tight">
          {t('change.mayStop')}
          {people.map(({ person_id, name }) => (
            <span key={person_id} className="hf-person">
              <Label text={name} wrap />
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
