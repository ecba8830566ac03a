import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../value/amount.tsx'
import { useLocale } from '../value/time.tsx'
import type { Column } from '../table/table-column.ts'
import { exactAmount } from '../format/format-number.ts'
import { formatDay } from '../format/format-time.ts'
import { dateFormat } from '../format/formatters.ts'
import { plainText } from '../format/hostile-text.ts'
import { barPlaces } from './bar-places.ts'
import { ChartFrame } from './chart-frame.tsx'
import { Legend, Readout } from './legend.tsx'
import { Plot } from './plot.tsx'
import { drawn } from './scale.ts'

const SERIES = ['in', 'out', 'fee'] as const
type Series = (typeof SERIES)[number]

/** What moved on a day that begins at a moment of UTC: decimal text, null if it is not known; `isPartial` if more moved than that. */
export type FlowDay = { atMs: number; isPartial?: boolean } & Readonly<Record<Series, string | null>>

type FlowChartProps = {
  title: string
  note?: ReactNode
  actions?: ReactNode
  days: readonly FlowDay[]
  names: Readonly<Record<Series, string>>
  /** What a row of the table is. */
  dayTitle: string
  unit?: string
  empty?: ReactNode
  /** Over the chart and the table, such as sums. */
  lead?: ReactNode
}

const SHORT_DAY = { day: 'numeric', month: 'short' } as const

/** What came in each day as a bar above the line, what went out as one below it, and fees below that; with the table of them behind it. */
export function FlowChart({ title, note, actions, days, names, dayTitle, unit, empty, lead }: FlowChartProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const numbers = days.map(({ in: came, out, fee }) => ({ in: drawn(came) ?? 0, out: drawn(out) ?? 0, fee: drawn(fee) ?? 0 }))
  const range = [-Math.max(0, ...numbers.map(({ out, fee }) => out + fee)), Math.max(0, ...numbers.map((each) => each.in))] as const
  const { xOf, widthIn, foot } = barPlaces(days.map(({ atMs }) => dateFormat(locale, SHORT_DAY, 'UTC').format(atMs)))
  const textOf = (value: string | null, isPartial = false) =>
    value === null ? t('ui.chart.unknown') : `${isPartial ? '≥ ' : ''}${exactAmount(value)}${unit === undefined ? '' : ` ${plainText(unit, 24)}`}`
  const dayText = (atMs: number) => formatDay(atMs, locale, 'UTC')
  const series = SERIES.map((key) => ({ key, name: names[key] }))
  const columns: Column<FlowDay>[] = [
    { key: 'day', title: dayTitle, render: ({ atMs }) => dayText(atMs) },
    ...series.map(
      ({ key, name }): Column<FlowDay> => ({
        key,
        title: name,
        align: 'end',
        render: (day) => (
          <>
            {day.isPartial && day[key] !== null && '≥ '}
            <Amount value={day[key]} unit={unit} />
          </>
        ),
      }),
    ),
  ]
  return (
    <ChartFrame
      title={title}
      note={note}
      actions={actions}
      lead={lead}
      empty={empty}
      columns={columns}
      rows={days.toReversed()}
      rowKey={({ atMs }) => String(atMs)}
    >
      <Legend series={series} />
      <Plot
        label={`${title}. ${t('ui.chart.bars', { count: days.length })}`}
        range={range}
        count={days.length}
        xOf={xOf}
        foot={foot}
        readout={(at) => {
          const day = days[at]
          const lines = series.map(({ key, name }) => ({ key, name, text: textOf(day?.[key] ?? null, day?.isPartial) }))
          const name = dayText(day?.atMs ?? 0)
          return { text: `${name}: ${lines.map((line) => `${line.name} ${line.text}`).join(', ')}`, content: <Readout title={name} lines={lines} /> }
        }}
      >
        {(place, chosen) =>
          days.map((day, at) => {
            const { in: came, out, fee } = numbers[at] ?? { in: 0, out: 0, fee: 0 }
            const width = widthIn(place)
            const bar = (key: Series, from: number, to: number) =>
              from === to ? null : (
                <rect
                  className={`hf-chart-${SERIES.indexOf(key) + 1} hf-chart-bar`}
                  x={xOf(at, place) - width / 2}
                  width={width}
                  y={place.y(Math.max(from, to))}
                  height={Math.max(1.5, Math.abs(place.y(from) - place.y(to)))}
                  rx={Math.min(3, width / 2)}
                />
              )
            return (
              <g key={day.atMs} className={chosen !== undefined && chosen !== at ? 'hf-chart-aside' : undefined}>
                {bar('in', 0, came)}
                {bar('out', 0, -out)}
                {bar('fee', -out, -out - fee)}
                {day.in === null && <rect className="hf-chart-unknown" x={xOf(at, place) - width / 2} width={width} y={place.y(0) - 10} height={10} rx="2" />}
              </g>
            )
          })
        }
      </Plot>
    </ChartFrame>
  )
}
