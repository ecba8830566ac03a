import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../value/amount.tsx'
import { Label } from '../base/label.tsx'
import { StatusTag } from '../feedback/status-tag.tsx'
import type { Column } from '../table/table-column.ts'
import { ChartFrame } from './chart-frame.tsx'
import { drawn, percentText } from './scale.ts'

export type Band = {
  key: string
  name: string
  /** Decimal text of one unit for all bands, null if it is not known. */
  value: string | null
  /** The share of the whole that is wished for, in percent. */
  fromPercent: number
  toPercent: number
}

type BandChartProps = {
  title: string
  note?: ReactNode
  actions?: ReactNode
  bands: readonly Band[]
  /** What a band is, over the names in the table. */
  bandTitle: string
  valueTitle: string
  unit?: string
}

/** Shares of a whole against the limits that were set for them, such as hot, warm and cold. */
export function BandChart({ title, note, actions, bands, bandTitle, valueTitle, unit }: BandChartProps) {
  const { t } = useTranslation()
  const whole = bands.reduce((sum, { value }) => sum + Math.max(0, drawn(value) ?? 0), 0)
  const isKnown = bands.every(({ value }) => drawn(value) !== undefined) && whole > 0
  const percentOf = (band: Band) => (isKnown ? ((drawn(band.value) ?? 0) / whole) * 100 : undefined)
  const limitsOf = (band: Band) => t('ui.chart.limits', { from: band.fromPercent, to: band.toPercent })
  const shareText = (band: Band) => (isKnown ? percentText(drawn(band.value) ?? 0, whole) : t('ui.chart.unknown'))
  const columns: Column<Band>[] = [
    { key: 'name', title: bandTitle, render: (band) => <Label text={band.name} /> },
    { key: 'value', title: valueTitle, align: 'end', render: (band) => <Amount value={band.value} {...(unit === undefined ? {} : { unit })} /> },
    { key: 'share', title: t('ui.chart.share'), align: 'end', render: (band) => <span className="hf-numbers">{shareText(band)}</span> },
    { key: 'limits', title: t('ui.chart.wished'), align: 'end', render: (band) => <span className="hf-numbers">{limitsOf(band)}</span> },
  ]
  return (
    <ChartFrame title={title} note={note} actions={actions} columns={columns} rows={bands} rowKey={({ key }) => key}>
      <ul className="hf-bands">
        {bands.map((band) => {
          const percent = percentOf(band)
          const place = percent === undefined ? undefined : percent < band.fromPercent ? 'below' : percent > band.toPercent ? 'above' : 'within'
          return (
            <li key={band.key} className="hf-band">
              <span className="hf-band-name">
                <Label text={band.name} />
              </span>
              <span className="hf-band-share hf-numbers">{shareText(band)}</span>
              <span className="hf-band-track" aria-hidden>
                <span className="hf-band-limits" style={{ insetInlineStart: `${band.fromPercent}%`, inlineSize: `${band.toPercent - band.fromPercent}%` }} />
                {percent !== undefined && <span className={`hf-band-fill hf-band-${place}`} style={{ inlineSize: `${percent}%` }} />}
              </span>
              <span className="hf-small hf-muted hf-band-limit-text">{limitsOf(band)}</span>
              {place !== undefined && <StatusTag tone={place === 'within' ? 'good' : 'warn'} text={t(`ui.chart.${place}`)} />}
            </li>
          )
        })}
      </ul>
    </ChartFrame>
  )
}
