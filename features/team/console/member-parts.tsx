import type { OutputOf } from '@holdfast/contract'
import { formatDay, groupsOfFour, Label, shortAddress, StatusTag, type Tone, useLocale } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { listMembers } from '../contract.ts'

export type Member = OutputOf<typeof listMembers>['list'][number]

const TONES: Record<Member['state'], Tone> = { active: 'good', invited: 'active', suspended: 'warn', removed: 'neutral' }

/** How a member stands, and whether they are there. */
export function MemberState({ state, out_of_office: away }: Pick<Member, 'state' | 'out_of_office'>) {
  const { t } = useTranslation('teamMember')
  return <StatusTag tone={TONES[state]} text={t(`state.${state}`)} {...(away?.now ? { next: <AwayUntil away={away} /> } : {})} />
}

/** From when to when somebody is not there, and whom to ask meanwhile. */
export function AwayUntil({ away }: { away: NonNullable<Member['out_of_office']> }) {
  const { t } = useTranslation('teamMember')
  const locale = useLocale()
  const [first, last] = [formatDay(away.from, locale), formatDay(away.to, locale)]
  return (
    <>
      {away.now ? t('away.until', { last }) : t('away.since', { first, last })}
      {away.delegate !== null && (
        <>
          {t('comma')}
          {t('away.ask')} <Label text={away.delegate.name} />
        </>
      )}
    </>
  )
}

/** The ends of a key's public half, the whole on hover: enough to tell keys apart, never to compare them. */
export function KeyEnds({ fingerprint }: { fingerprint: string }) {
  return (
    <code className="hf-nowrap" title={groupsOfFour(fingerprint).join(' ')}>
      {shortAddress(fingerprint)}
    </code>
  )
}

/** The approval keys of a member: those the policy names, and those that still wait for it. */
export function Keys({ member }: { member: Member }) {
  const { t } = useTranslation('teamMember')
  const [first, ...others] = member.keys
  if (!first) return <span className="hf-faint">{t('keys.none')}</span>
  return (
    <span className="hf-stack-tight">
      <KeyEnds fingerprint={first.fingerprint} />
      {!first.in_policy && <span className="hf-small hf-muted">{t('keys.waiting')}</span>}
      {member.keys.some((key) => !key.in_policy && key.origin?.answer === 'waiting') && <span className="hf-small hf-muted">{t('keys.unanswered')}</span>}
      {others.length > 0 && <span className="hf-small hf-muted">{t('keys.more', { count: others.length })}</span>}
    </span>
  )
}

export function Approves({ member }: { member: Member }) {
  const { t } = useTranslation('teamMember')
  const places = [...member.rules.map((rule) => t('approves.rule', { rule })), ...(member.governs ? [t('approves.governs')] : [])]
  if (places.length === 0) return <span className="hf-faint">{t('approves.nothing')}</span>
  return (
    <ul className="hf-stack-tight hf-member-places">
      {places.map((place) => (
        <li key={place}>{place}</li>
      ))}
    </ul>
  )
}
