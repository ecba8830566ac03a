import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../value/amount.tsx'
import { Label } from '../base/label.tsx'
import type { Column } from '../table/table-column.ts'
import { ChartFrame } from './chart-frame.tsx'
import { drawn, percentText, ringPath } from './scale.ts'

export type Slice = {
  key: string
  name: string
  /** Decimal text of one unit for all slices, null if it is not known. */
  value: string | null
}

type DonutChartProps = {
  title: string
  note?: ReactNode
  actions?: ReactNode
  slices: readonly Slice[]
  /** What a slice is, over the names in the table. */
  sliceTitle: string
  valueTitle: string
  unit?: string
  /** In the middle of the ring, such as the sum. */
  centre?: ReactNode
  empty?: ReactNode
}

const SHOWN = 5
const OUTER = 92
const INNER = 62

type Shown = { key: string; name: string; number: number; value: string | null }

/** How a whole is divided. The largest five have a piece of the ring each, the rest share one; the table has them all. */
export function DonutChart({ title, note, actions, slices, sliceTitle, valueTitle, unit, centre, empty }: DonutChartProps) {
  const { t } = useTranslation()
  const [pointed, setPointed] = useState<string>()
  const sorted = slices
    .map(({ key, name, value }): Shown => ({ key, name, value, number: Math.max(0, drawn(value) ?? 0) }))
    .toSorted((one, other) => other.number - one.number)
  const whole = sorted.reduce((sum, { number }) => sum + number, 0)
  const columns: Column<Shown>[] = [
    { key: 'name', title: sliceTitle, render: (slice) => <Label text={slice.name} /> },
    { key: 'value', title: valueTitle, align: 'end', render: (slice) => <Amount value={slice.value} {...(unit === undefined ? {} : { unit })} /> },
    {
      key: 'share',
      title: t('ui.chart.share'),
      align: 'end',
      render: (slice) => <span className="hf-numbers">{shareOf(slice, whole, t('ui.chart.unknown'))}</span>,
    },
  ]
  const pieces = piecesOf(sorted, t('ui.chart.others', { count: sorted.length - SHOWN }))
  return (
    <ChartFrame title={title} note={note} actions={actions} empty={empty} columns={columns} rows={sorted} rowKey={({ key }) => key}>
      <div className="hf-donut">
        <div className="hf-donut-ring">
          <svg viewBox="-100 -100 200 200" aria-hidden>
            {whole === 0 && <circle r={(OUTER + INNER) / 2} className="hf-donut-none" strokeWidth={OUTER - INNER} />}
            {arcsOf(pieces, whole).map(({ key, from, to }, at) => (
              <path
                key={key}
                d={ringPath(from, to, OUTER, INNER)}
                className={`hf-chart-${(at % 6) + 1} hf-donut-piece${pointed !== undefined && pointed !== key ? ' hf-chart-aside' : ''}`}
                onPointerEnter={() => setPointed(key)}
                onPointerLeave={() => setPointed(undefined)}
              />
            ))}
          </svg>
          {centre !== undefined && <div className="hf-donut-centre">{centre}</div>}
        </div>
        <ul className="hf-donut-legend">
          {pieces.map((piece, at) => (
            <li
              key={piece.key}
              className={pointed === piece.key ? 'hf-donut-line hf-donut-pointed' : 'hf-donut-line'}
              onPointerEnter={() => setPointed(piece.key)}
              onPointerLeave={() => setPointed(undefined)}
            >
              <span className={`hf-chart-key hf-chart-${(at % 6) + 1}`} aria-hidden />
              <span className="hf-donut-name">
                <Label text={piece.name} />
              </span>
              <span className="hf-numbers hf-muted">{shareOf(piece, whole, t('ui.chart.unknown'))}</span>
            </li>
          ))}
        </ul>
      </div>
    </ChartFrame>
  )
}

function shareOf({ value, number }: Shown, whole: number, unknown: string): string {
  return value === null ? unknown : percentText(number, whole)
}

function piecesOf(sorted: readonly Shown[], others: string): Shown[] {
  // One more is as good as a piece that is called "1 other".
  if (sorted.length <= SHOWN + 1) return [...sorted]
  const rest = sorted.slice(SHOWN)
  return [...sorted.slice(0, SHOWN), { key: ' others', name: others, value: '', number: rest.reduce((sum, { number }) => sum + number, 0) }]
}

function arcsOf(pieces: readonly Shown[], whole: number): { key: string; from: number; to: number }[] {
  let at = 0
  return pieces.flatMap(({ key, number }) => {
    const from = at
    at += whole === 0 ? 0 : number / whole
    return number === 0 ? [] : [{ key, from, to: at }]
  })
}
