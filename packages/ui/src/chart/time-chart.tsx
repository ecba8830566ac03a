import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../value/amount.tsx'
import type { Column } from '../table/table-column.ts'
import { Time, useLocale } from '../value/time.tsx'
import { exactAmount } from '../format/format-number.ts'
import { formatDay, formatTime } from '../format/format-time.ts'
import { dateFormat } from '../format/formatters.ts'
import { plainText } from '../format/hostile-text.ts'
import type { Locale } from '../language/locale.ts'
import { ChartFrame } from './chart-frame.tsx'
import { Legend, Readout } from './legend.tsx'
import { Plot, type PlotPlace } from './plot.tsx'
import { areaPath, drawn, linePath, scaleTo } from './scale.ts'

export type TimeSeries = {
  key: string
  name: string
  /** In the order of time. The value is decimal text, null if it is not known. */
  points: readonly { atMs: number; value: string | null }[]
}

type TimeChartProps = {
  title: string
  note?: ReactNode
  actions?: ReactNode
  series: readonly TimeSeries[]
  unit?: string
  /** Fills the room under the line. For one series. */
  area?: boolean
  /** The axis begins at zero; yes where absent, because a cut axis makes small changes look large. */
  fromZero?: boolean
  empty?: ReactNode
}

type Moment = { atMs: number; values: readonly (string | null)[] }

const DAY_MS = 86_400_000
const WORD_PX = 96
const NAME_LIMIT = 40

/** Numbers over time, as lines or as an area, with the table of all of them behind it. */
export function TimeChart({ title, note, actions, series, unit, area, fromZero = true, empty }: TimeChartProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const moments = useMemo(() => momentsOf(series), [series])
  const numbers = moments.flatMap(({ values }) => values.map(drawn)).filter((value) => value !== undefined)
  const range = [Math.min(...(fromZero ? [0] : []), ...numbers), Math.max(...(fromZero ? [0] : []), ...numbers)] as const
  const [first = 0, last = 0] = [moments[0]?.atMs, moments.at(-1)?.atMs]
  const xAt = (atMs: number, place: PlotPlace) => scaleTo(atMs, [first, last], [place.left + 4, place.right - 4])
  const name = (at: number) => plainText(series[at]?.name ?? '', NAME_LIMIT)
  const valueText = (value: string | null) =>
    value === null ? t('ui.chart.unknown') : unit === undefined ? exactAmount(value) : `${exactAmount(value)} ${plainText(unit, 24)}`
  const isLong = last - first > 3 * DAY_MS
  const momentText = (atMs: number) => (isLong ? formatDay(atMs, locale) : formatTime(atMs, locale))
  const columns = useColumns(series, unit)
  const spotsOf = (at: number, place: PlotPlace) =>
    moments.map(({ atMs, values }) => {
      const value = drawn(values[at])
      return value === undefined ? undefined : { x: xAt(atMs, place), y: place.y(value) }
    })
  return (
    <ChartFrame title={title} note={note} actions={actions} empty={empty} columns={columns} rows={moments.toReversed()} rowKey={({ atMs }) => String(atMs)}>
      {series.length > 1 && <Legend series={series} />}
      <Plot
        label={`${title}. ${t('ui.chart.span', { count: moments.length, from: momentText(first), to: momentText(last) })}`}
        range={range}
        count={moments.length}
        xOf={(at, place) => xAt(moments[at]?.atMs ?? 0, place)}
        foot={(place) => footOf(place, [first, last], (atMs) => (last - first < DAY_MS ? clockText(atMs, locale) : shortDay(atMs, locale)), xAt)}
        readout={(at) => {
          const { atMs, values } = moments[at] ?? { atMs: 0, values: [] }
          const lines = values.map((value, which) => ({ key: series[which]?.key ?? '', name: name(which), text: valueText(value) }))
          return {
            text: `${momentText(atMs)}: ${lines.map((line) => (series.length > 1 ? `${line.name} ${line.text}` : line.text)).join(', ')}`,
            content: <Readout title={momentText(atMs)} lines={lines} />,
          }
        }}
      >
        {(place, chosen) => (
          <>
            {series.map(({ key }, at) => {
              const spots = spotsOf(at, place)
              const spot = chosen === undefined ? undefined : spots[chosen]
              return (
                <g key={key} className={`hf-chart-${(at % 6) + 1}`}>
                  {area && <path d={areaPath(spots, place.y(Math.max(0, range[0])))} className="hf-chart-area" />}
                  <path d={linePath(spots)} className={`hf-chart-stroke hf-chart-dash-${Math.floor(at / 2) % 3}`} />
                  {spots.map(
                    (each, index) =>
                      each && !spots[index - 1] && !spots[index + 1] && <circle key={index} cx={each.x} cy={each.y} r="2.5" className="hf-chart-dot" />,
                  )}
                  {spot && <circle cx={spot.x} cy={spot.y} r="4" className="hf-chart-dot" />}
                </g>
              )
            })}
            {chosen !== undefined && (
              <line
                className="hf-plot-cursor"
                x1={xAt(moments[chosen]?.atMs ?? 0, place)}
                x2={xAt(moments[chosen]?.atMs ?? 0, place)}
                y1={8}
                y2={place.floor}
              />
            )}
          </>
        )}
      </Plot>
    </ChartFrame>
  )
}

function useColumns(series: readonly TimeSeries[], unit: string | undefined): Column<Moment>[] {
  const { t } = useTranslation()
  return [
    { key: 'at', title: t('ui.chart.time'), render: ({ atMs }) => <Time ms={atMs} /> },
    ...series.map(
      ({ key, name }, at): Column<Moment> => ({
        key,
        title: plainText(name, NAME_LIMIT),
        align: 'end',
        render: ({ values }) => <Amount value={values[at]} {...(unit === undefined ? {} : { unit })} />,
      }),
    ),
  ]
}

/** Every moment that any of the series knows, with what each of them says of it. */
function momentsOf(series: readonly TimeSeries[]): Moment[] {
  const known = series.map(({ points }) => new Map(points.map(({ atMs, value }) => [atMs, value])))
  const times = [...new Set(series.flatMap(({ points }) => points.map(({ atMs }) => atMs)))].toSorted((one, other) => one - other)
  return times.map((atMs) => ({ atMs, values: known.map((values) => values.get(atMs) ?? null) }))
}

function footOf(place: PlotPlace, [first, last]: readonly [number, number], word: (atMs: number) => string, xAt: (atMs: number, place: PlotPlace) => number) {
  const many = Math.max(2, Math.min(7, Math.floor((place.right - place.left) / WORD_PX)))
  if (first === last) return [{ x: xAt(first, place), text: word(first), anchor: 'start' as const }]
  return Array.from({ length: many }, (_, at) => {
    const atMs = first + ((last - first) * at) / (many - 1)
    return { x: xAt(atMs, place), text: word(atMs), anchor: at === 0 ? ('start' as const) : at === many - 1 ? ('end' as const) : ('middle' as const) }
  })
}

const SHORT_DAY = { day: 'numeric', month: 'short' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const shortDay = (ms: number, locale: Locale) => dateFormat(locale, SHORT_DAY).format(ms)
const clockText = (ms: number, locale: Locale) => dateFormat(locale, CLOCK).format(ms)
