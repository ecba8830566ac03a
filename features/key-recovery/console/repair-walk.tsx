import { Timeline, type TimelineItem, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { KeyView } from './key-card.tsx'
import { repairSteps, type WalkStanding } from './repair-steps.ts'

const TONES: Record<WalkStanding, Tone> = { done: 'good', now: 'active', stuck: 'warn', ahead: 'neutral' }

/** Leads through the repair of a signer. */
export function RepairWalk({ party, signers, change }: { party: number; signers: KeyView['signers']; change?: NonNullable<KeyView['change']> }) {
  const { t } = useTranslation('privateKeyRecovery')
  const away = signers.filter((each) => !each.online && each.party !== party).map((each) => each.party)
  const items: TimelineItem[] = repairSteps(party, signers, change).map(([name, standing]) => ({
    key: name,
    tone: TONES[standing],
    title: t(`walk.${name}.title`, { party }),
    isAhead: standing === 'ahead',
    ...(standing === 'done'
      ? {}
      : { note: name === 'others' && away.length > 0 ? t('walk.others.away', { parties: away.join(t('comma')) }) : t(`walk.${name}.text`, { party }) }),
  }))
  return <Timeline items={items} label={t('walk.label')} />
}
