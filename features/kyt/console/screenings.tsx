import { Label, StatusTag, Time, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Screenings as Shown } from '../contract.ts'

type Screening = Shown[number]

/** What the rule of an order demands of screeners, and what each said last: `isOver` once nothing is awaited any more. */
export function Screenings({ screenings, isOver }: { screenings: readonly Screening[]; isOver: boolean }) {
  return (
    <ul className="hf-stack-tight">
      {screenings.map((each) => (
        <One key={`${each.screener} ${each.refuses} ${each.levels.join()}`} screening={each} isOver={isOver} />
      ))}
    </ul>
  )
}

function One({ screening, isOver }: { screening: Screening; isOver: boolean }) {
  const { t } = useTranslation('kyt')
  const { screener: name, levels, refuses, within_ms: withinMs, last } = screening
  const level = last === null ? '' : t(`kyt.screening.level.${last.level as 'low'}`)
  const awaited = isOver ? undefined : WAITS[screening.state]
  const named = levels.map((each) => t(`kyt.screening.level.${each as 'low'}`)).join(t('kyt.screening.or'))
  return (
    <li className="hf-stack-tight">
      <span className="hf-row-tight">
        <StatusTag
          tone={toneOf(screening, isOver)}
          text={awaited === undefined && last !== null ? t('kyt.screening.said', { name, level }) : t(`kyt.screening.${awaited ?? 'awaited'}`, { name })}
        />
        {last !== null && (
          <span className="hf-small hf-muted">
            {awaited !== undefined && `${level} · `}
            <Label text={last.provider} /> · <Time ms={last.at} />
          </span>
        )}
      </span>
      <span className="hf-small hf-muted">{t(`kyt.screening.${refuses ? 'refuse' : 'demand'}`, { levels: named, count: Math.round(withinMs / 60_000) })}</span>
    </li>
  )
}

const WAITS = { missing: 'awaited', stale: 'again', expired: 'expired', said: undefined } as const

function toneOf({ state, last, levels, refuses }: Screening, isOver: boolean): Tone {
  if (state === 'expired') return 'bad'
  if (last === null || (state !== 'said' && !isOver)) return isOver ? 'neutral' : 'warn'
  return levels.includes(last.level) === refuses ? 'bad' : 'good'
}
