/** Round numbers that cover a range, for the lines of an axis: 0, 50, 100. At least two, about `count`. */
export function niceTicks(lowest: number, highest: number, count: number): number[] {
  const from = Math.min(lowest, highest)
  const to = Math.max(lowest, highest)
  const span = spanOf(from, to)
  const rough = span / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.floor(from / step)
  const last = Math.max(first + 1, Math.ceil(to / step))
  // Counted in whole steps: adding a step up again and again would gather what floats lose.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** Ends that floats cannot tell apart are drawn as one number with some room around it. */
function spanOf(from: number, to: number): number {
  const size = Math.max(Math.abs(from), Math.abs(to))
  if (to - from > Math.max(size * 1e-9, 1e-30)) return to - from
  return size > 1e-30 ? size : 1
}

/** Moves a number from one range into another, as the axis of a chart does. */
export function scaleTo(value: number, [from, to]: readonly [number, number], [start, end]: readonly [number, number]): number {
  return to === from ? start : start + ((value - from) / (to - from)) * (end - start)
}

/** The number to draw for decimal text; undefined if it is not known. Only for drawing: what people read is the text. */
export function drawn(value: string | null | undefined): number | undefined {
  if (value === null || value === undefined || !/^-?\d+(\.\d+)?$/.test(value)) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

export type Spot = { x: number; y: number }

/** A line through spots; where one is not known the line is interrupted, and nothing is made up. */
export function linePath(spots: readonly (Spot | undefined)[]): string {
  return spots.flatMap((spot, at) => (spot ? [`${spots[at - 1] ? 'L' : 'M'}${round(spot.x)} ${round(spot.y)}`] : [])).join('')
}

/** The areas under a line, down to `floor`. */
export function areaPath(spots: readonly (Spot | undefined)[], floor: number): string {
  const runs: Spot[][] = []
  spots.forEach((spot, at) => {
    if (!spot) return
    if (spots[at - 1]) runs.at(-1)?.push(spot)
    else runs.push([spot])
  })
  return runs.map((run) => `${linePath(run)}L${round(run.at(-1)?.x ?? 0)} ${round(floor)}L${round(run[0]?.x ?? 0)} ${round(floor)}Z`).join('')
}

/** A piece of a ring, from one share of the whole circle to another, clockwise from the top. */
export function ringPath(from: number, to: number, outer: number, inner: number): string {
  // An arc that ends where it begins is none.
  const end = Math.min(to, from + 0.99999)
  const at = (share: number, radius: number) => `${round(radius * Math.sin(share * 2 * Math.PI))} ${round(-radius * Math.cos(share * 2 * Math.PI))}`
  const large = end - from > 0.5 ? 1 : 0
  return `M${at(from, outer)}A${outer} ${outer} 0 ${large} 1 ${at(end, outer)}L${at(end, inner)}A${inner} ${inner} 0 ${large} 0 ${at(from, inner)}Z`
}

/** Shares of a whole for people: tenths of a percent, and something never reads as nothing. */
export function percentText(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%'
  const percent = (part / whole) * 100
  if (percent < 0.1) return '< 0.1%'
  return percent > 99.9 && part < whole ? '> 99.9%' : `${Math.round(percent * 10) / 10}%`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
