import { Label, StatusTag, Time, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Screened } from '../contract.ts'

const TONES: Record<Screened['level'], Tone> = { low: 'good', medium: 'warn', high: 'bad', severe: 'bad', unknown: 'warn' }

/** What a screener said last of what pays an address, by which service and when. */
export function LastScreening({ screening }: { screening: Screened | null }) {
  const { t } = useTranslation('kyt')
  if (screening === null) return <StatusTag tone="neutral" text={t('kyt.screening.none')} />
  const { level, provider, at } = screening
  return (
    <StatusTag
      tone={TONES[level]}
      text={t(`kyt.screening.level.${level}`)}
      next={
        <>
          <Label text={provider} /> · <Time ms={at} />
        </>
      }
    />
  )
}
