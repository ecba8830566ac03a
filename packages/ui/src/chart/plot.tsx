import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocale } from '../value/time.tsx'
import { numberFormat } from '../format/formatters.ts'
import { niceTicks, scaleTo } from './scale.ts'
import { useWidth } from './use-width.ts'

export const PLOT_HEIGHT_PX = 240
const TOP_PX = 10
const FOOT_PX = 28
const SIDE_PX = 8
const TICKS = 4
const COMPACT = { notation: 'compact', maximumFractionDigits: 2 } as const

/** Where things stand in a plot, in pixels. */
export type PlotPlace = {
  width: number
  /** The left and right edge of the drawing, inside the axis. */
  left: number
  right: number
  floor: number
  y(value: number): number
}

type PlotProps = {
  /** What is drawn, in a sentence, for those who cannot see it. */
  label: string
  /** The lowest and highest number there is. */
  range: readonly [number, number]
  /** How many places there are to go to with the arrow keys. */
  count: number
  /** Where a place stands, in pixels. */
  xOf(at: number, place: PlotPlace): number
  /** What is said of a place: shown beside it, and read aloud. */
  readout(at: number): { text: string; content: ReactNode }
  /** The words under the axis. */
  foot(place: PlotPlace): readonly { x: number; text: string; anchor?: 'start' | 'middle' | 'end' }[]
  /** The drawing. */
  children(place: PlotPlace, chosen: number | undefined): ReactNode
}

/** The axes of a chart, with what is pointed at or reached by the arrow keys read out. */
export function Plot({ label, range, count, xOf, readout, foot, children }: PlotProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [chosen, setChosen] = useState<number>()
  const ticks = niceTicks(range[0], range[1], TICKS)
  const words = ticks.map((tick) => numberFormat(locale, COMPACT).format(tick))
  const left = SIDE_PX + Math.max(...words.map((word) => word.length)) * 7.2 + 8
  const ends = [ticks[0] ?? 0, ticks.at(-1) ?? 1] as const
  const floor = PLOT_HEIGHT_PX - FOOT_PX
  const place: PlotPlace = { width, left, right: Math.max(left, width - SIDE_PX), floor, y: (value) => scaleTo(value, ends, [floor, TOP_PX]) }
  const at = chosen === undefined ? undefined : Math.min(chosen, count - 1)
  const said = at === undefined ? undefined : readout(at)
  const x = at === undefined ? 0 : xOf(at, place)
  const point = (event: PointerEvent) => {
    const rect = event.currentTarget.getBoundingClientRect()
    setChosen(nearest(event.clientX - rect.left, count, (each) => xOf(each, place)))
  }
  const move = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: (at ?? -1) + 1, ArrowLeft: (at ?? count) - 1, Home: 0, End: count - 1 }
    const to = steps[event.key]
    if (event.key === 'Escape') setChosen(undefined)
    if (to === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(count - 1, to)))
  }
  return (
    // Reading a chart out place by place needs keys, and no role of ARIA is a chart.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      className="hf-plot"
      style={{ blockSize: PLOT_HEIGHT_PX }}
      role="group"
      aria-label={`${label} ${t('ui.chart.keys')}`}
      tabIndex={0}
      onPointerMove={point}
      onPointerLeave={() => setChosen(undefined)}
      onBlur={() => setChosen(undefined)}
      onKeyDown={move}
    >
      {width > 0 && (
        <svg width={width} height={PLOT_HEIGHT_PX} aria-hidden>
          {ticks.map((tick, index) => (
            <g key={tick}>
              <line x1={left} x2={place.right} y1={place.y(tick)} y2={place.y(tick)} className={tick === 0 ? 'hf-plot-zero' : 'hf-plot-line'} />
              <text x={left - 8} y={place.y(tick)} dy="0.32em" textAnchor="end">
                {words[index]}
              </text>
            </g>
          ))}
          {foot(place).map((word) => (
            <text key={`${word.x} ${word.text}`} x={word.x} y={PLOT_HEIGHT_PX - 8} textAnchor={word.anchor ?? 'middle'}>
              {word.text}
            </text>
          ))}
          {children(place, at)}
        </svg>
      )}
      {said && (
        <div className={x > width / 2 ? 'hf-readout hf-readout-before' : 'hf-readout'} style={{ insetInlineStart: x }} aria-hidden>
          {said.content}
        </div>
      )}
      <span className="hf-visually-hidden" aria-live="polite">
        {said?.text}
      </span>
    </div>
  )
}

/** The place nearest to a pixel; places go from left to right. */
function nearest(x: number, count: number, xOf: (at: number) => number): number {
  let low = 0
  let high = count - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (xOf(middle) <= x) low = middle
    else high = middle
  }
  return Math.abs(xOf(low) - x) <= Math.abs(xOf(high) - x) ? low : high
}
