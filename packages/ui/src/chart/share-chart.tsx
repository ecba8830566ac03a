import { TimeChart } from './time-chart.tsx'

type ShareChartProps = {
  title: string
  /** In the order of time; null where the share is not known. */
  days: readonly { atMs: number; percent: number | null }[]
}

/** A share in percent, day by day. */
export function ShareChart({ title, days }: ShareChartProps) {
  const points = days.map(({ atMs, percent }) => ({ atMs, value: percent === null ? null : String(percent) }))
  return <TimeChart title={title} unit="%" series={[{ key: 'share', name: title, points }]} />
}
