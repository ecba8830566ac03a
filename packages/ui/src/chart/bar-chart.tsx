import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../value/amount.tsx'
import { Label } from '../base/label.tsx'
import type { Column } from '../table/table-column.ts'
import { exactAmount } from '../format/format-number.ts'
import { plainText } from '../format/hostile-text.ts'
import { barPlaces } from './bar-places.ts'
import { ChartFrame } from './chart-frame.tsx'
import { Plot } from './plot.tsx'
import { drawn } from './scale.ts'

export type ChartBar = {
  key: string
  name: string
  /** Decimal text, null if it is not known. */
  value: string | null
}

type BarChartProps = {
  title: string
  note?: ReactNode
  actions?: ReactNode
  bars: readonly ChartBar[]
  /** What a bar is, over the names in the table: a day, a coin. */
  barTitle: string
  /** What its number is. */
  valueTitle: string
  unit?: string
  empty?: ReactNode
}

const NAME_LIMIT = 40

/** One number for each of a few things or days, with the table of them behind it. */
export function BarChart({ title, note, actions, bars, barTitle, valueTitle, unit, empty }: BarChartProps) {
  const { t } = useTranslation()
  const numbers = bars.map(({ value }) => drawn(value) ?? 0)
  const nameOf = (at: number) => plainText(bars[at]?.name ?? '', NAME_LIMIT)
  const { xOf, widthIn, foot } = barPlaces(bars.map((_, at) => nameOf(at)))
  const textOf = (value: string | null) =>
    value === null ? t('ui.chart.unknown') : `${exactAmount(value)}${unit === undefined ? '' : ` ${plainText(unit, 24)}`}`
  const columns: Column<ChartBar>[] = [
    { key: 'name', title: barTitle, render: (bar) => <Label text={bar.name} /> },
    { key: 'value', title: valueTitle, align: 'end', render: (bar) => <Amount value={bar.value} {...(unit === undefined ? {} : { unit })} /> },
  ]
  return (
    <ChartFrame title={title} note={note} actions={actions} empty={empty} columns={columns} rows={bars} rowKey={({ key }) => key}>
      <Plot
        label={`${title}. ${t('ui.chart.bars', { count: bars.length })}`}
        range={[Math.min(0, ...numbers), Math.max(0, ...numbers)]}
        count={bars.length}
        xOf={xOf}
        foot={foot}
        readout={(at) => {
          const value = textOf(bars[at]?.value ?? null)
          return {
            text: `${nameOf(at)}: ${value}`,
            content: (
              <>
                <p className="hf-readout-title">{nameOf(at)}</p>
                <p className="hf-readout-line">
                  <span className="hf-numbers">{value}</span>
                </p>
              </>
            ),
          }
        }}
      >
        {(place, chosen) =>
          bars.map(({ key, value }, at) => {
            const number = drawn(value)
            const width = widthIn(place)
            const [top, bottom] = [place.y(Math.max(0, number ?? 0)), place.y(Math.min(0, number ?? 0))]
            return (
              <rect
                key={key}
                className={`hf-chart-1 ${number === undefined ? 'hf-chart-unknown' : 'hf-chart-bar'}${chosen !== undefined && chosen !== at ? ' hf-chart-aside' : ''}`}
                x={xOf(at, place) - width / 2}
                width={width}
                y={number === undefined ? place.floor - 10 : top}
                height={number === undefined ? 10 : Math.max(number === 0 ? 0 : 1.5, bottom - top)}
                rx={Math.min(3, width / 2)}
              />
            )
          })
        }
      </Plot>
    </ChartFrame>
  )
}
