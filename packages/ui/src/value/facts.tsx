import type { ReactNode } from 'react'
import { Hint } from '../base/hint.tsx'

export type Fact = {
  label: string
  value: ReactNode
  /** Says in a sentence what a label of few words means; shown over it. */
  hint?: string
  /** Takes the whole width, for addresses and long words. */
  wide?: boolean
}

/** Labels and values, as in a ledger. Values that are undefined are left out. */
export function Facts({ facts, columns = 1 }: { facts: readonly (Fact | undefined)[]; columns?: 1 | 2 }) {
  return (
    <dl className={`hf-facts hf-facts-${columns}`}>
      {facts
        .filter((fact) => fact !== undefined)
        .map(({ label, value, hint, wide }) => (
          <div key={label} className={wide ? 'hf-fact hf-fact-wide' : 'hf-fact'}>
            <dt>{hint === undefined ? label : <Hint text={hint}>{label}</Hint>}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
