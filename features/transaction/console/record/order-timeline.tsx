import { useSignerReason } from '@holdfast/features/evidence/console'
import { Label, Timeline, type TimelineItem } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Deposit, AllowanceSpend, Withdrawal } from './payment-facts.tsx'
import { stepsAhead, storyStep, toldOnce } from '../status.ts'

/** Actors that are no person; every other actor is shown by their name as it is. */
const PROGRAMS = ['server', 'chain', 'signers']
const DECISIONS = ['transaction.step.approve', 'transaction.step.reject']
const SIGNERS = /^signers ([\d, ]+)$/

/** Every state the order went through, who brought it there, when, and why; then what is still to come. */
export function OrderTimeline({ row }: { row: Withdrawal | Deposit | AllowanceSpend }) {
  const { t } = useTranslation()
  const reasonOf = useSignerReason()
  const nameOf = (actor: string) => {
    const numbers = SIGNERS.exec(actor)?.[1]
    if (numbers !== undefined) return t('transaction.actor.signersNumbered', { numbers })
    return PROGRAMS.includes(actor) ? t(`transaction.actor.${actor}`) : actor
  }
  const deciderOf = ({ actor: name, in_place_of: other }: { actor: string; in_place_of?: string | undefined }) =>
    other === undefined ? name : t('transaction.actor.inPlaceOf', { name, other })
  const past = toldOnce(row.timeline).map((event, at): TimelineItem => {
    const { key, tone } = storyStep(event)
    return {
      key: String(at),
      tone,
      // What somebody decided is told with their name.
      ...(DECISIONS.includes(key)
        ? { title: <Label text={t(key, { name: deciderOf(event) })} wrap /> }
        : { title: t(key, { defaultValue: event.state }), actor: nameOf(event.actor) }),
      atMs: event.at,
      ...(event.reason === null || event.reason === '' ? {} : { note: reasonOf(event.reason) }),
    }
  })
  const ahead = stepsAhead(row).map(
    (step): TimelineItem => ({ key: step, tone: 'neutral', title: t(`transaction.ahead.${step}`, { need: row.need_confirmations }), isAhead: true }),
  )
  return <Timeline items={[...past, ...ahead]} label={t('transaction.detail.timeline')} />
}
