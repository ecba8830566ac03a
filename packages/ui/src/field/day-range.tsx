type DayRangeProps = {
  /** What the days are of. */
  label: string
  fromLabel: string
  toLabel: string
  /** Days as date fields write them: 2026-11-20. */
  from: string | undefined
  to: string | undefined
  onChange: (next: { from?: string | undefined; to?: string | undefined }) => void
}

/** From one day to another, either of which may be open. */
export function DayRange({ label, fromLabel, toLabel, from, to, onChange }: DayRangeProps) {
  return (
    <span className="hf-day-range" role="group" aria-label={label}>
      <Day label={fromLabel} value={from} max={to} onChange={(day) => onChange({ from: day })} />
      <span className="hf-faint" aria-hidden>
        –
      </span>
      <Day label={toLabel} value={to} min={from} onChange={(day) => onChange({ to: day })} />
    </span>
  )
}

type DayProps = { label: string; value: string | undefined; min?: string | undefined; max?: string | undefined; onChange: (day: string | undefined) => void }

function Day({ label, value, min, max, onChange }: DayProps) {
  return (
    <input
      type="date"
      className={value === undefined ? 'hf-native-input hf-day-empty' : 'hf-native-input'}
      aria-label={label}
      title={label}
      value={value ?? ''}
      min={min}
      max={max}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  )
}
