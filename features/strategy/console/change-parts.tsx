import { Label, type Tone } from '@holdfast/ui'
import type { PolicyView } from './draft.ts'

export type Change = NonNullable<PolicyView['open_change']>

export const CHANGE_TONES: Record<Change['state'], Tone> = {
  approving: 'warn',
  approved: 'active',
  applied: 'good',
  rejected: 'bad',
  refused: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
  superseded: 'neutral',
}

/** What a change changes, a line for each difference. */
export function ChangeLines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="hf-bullets hf-policy-lines">
      {lines.map((line, at) => (
        <li key={at}>
          <Label text={line} wrap />
        </li>
      ))}
    </ul>
  )
}
