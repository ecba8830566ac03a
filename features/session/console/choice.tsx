import type { ReactNode } from 'react'

type ChoiceProps = { mark: ReactNode; title: ReactNode; note: ReactNode; isRunning: boolean; disabled: boolean; onChoose: () => void }

/** One of several ways to go on. */
export function Choice({ mark, title, note, isRunning, disabled, onChoose }: ChoiceProps) {
  return (
    <li>
      <button type="button" className="hf-choice" disabled={disabled} aria-busy={isRunning} onClick={onChoose}>
        {mark}
        <span className="hf-choice-text">
          <span className="hf-choice-title">{title}</span>
          <span className="hf-choice-note">{note}</span>
        </span>
        <span className="hf-choice-go" aria-hidden>
          →
        </span>
      </button>
    </li>
  )
}
