import './gauge.css'
import { ratioOf } from './ratio-of.ts'

const RADIUS = 52
/** Three quarters of a circle, open at the foot. */
const ARC = `M ${-RADIUS * Math.SQRT1_2} ${RADIUS * Math.SQRT1_2} A ${RADIUS} ${RADIUS} 0 1 1 ${RADIUS * Math.SQRT1_2} ${RADIUS * Math.SQRT1_2}`

type GaugeProps = {
  name: string
  limit: string
  used: string
  /** What is in the middle, large, and what it is. */
  value: string
  unit: string
  /** The same in words, under it and for those who cannot see the drawing. */
  text: string
}

/** How much of a limit is left. */
export function Gauge({ name, limit, used, value, unit, text }: GaugeProps) {
  const left = limit === '0' ? 0 : 1 - ratioOf(used, limit)
  return (
    <div className="hf-gauge" role="group" aria-label={name}>
      <div className="hf-gauge-ring">
        <svg viewBox="-60 -60 120 112" aria-hidden>
          <path d={ARC} className="hf-gauge-track" />
          {left > 0 && <path d={ARC} pathLength={1} strokeDasharray={`${left} 1`} className={left < 0.1 ? 'hf-gauge-left hf-gauge-low' : 'hf-gauge-left'} />}
        </svg>
        <p className="hf-gauge-centre">
          <b className="hf-numbers">{value}</b>
          <span className="hf-small hf-muted">{unit}</span>
        </p>
      </div>
      <p className="hf-gauge-text">
        <b>{name}</b>
        <span className="hf-small hf-muted hf-numbers">{text}</span>
      </p>
    </div>
  )
}
