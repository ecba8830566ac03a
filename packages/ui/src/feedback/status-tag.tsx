import type { ReactNode } from 'react'
import { plainText } from '../format/hostile-text.ts'

/** What a state means to people: waiting for somebody, in work, good, bad, or over. */
export type Tone = 'neutral' | 'active' | 'good' | 'warn' | 'bad'

type StatusTagProps = {
  tone: Tone
  text: string
  /** The finer state, in small letters. */
  detail?: string
  /** What must happen next, and by whom. */
  next?: ReactNode
}

const LONGEST = 60

/** A state in words, with what comes next. The colour repeats what the words say. */
export function StatusTag({ tone, text, detail, next }: StatusTagProps) {
  const tag = (
    <span className={`hf-tag hf-tag-${tone}`}>
      <span className="hf-tag-dot" aria-hidden />
      <span className="hf-tag-text">{plainText(text, LONGEST)}</span>
    </span>
  )
  if (detail === undefined && next === undefined) return tag
  return (
    <span className="hf-status">
      {tag}
      {detail !== undefined && <span className="hf-status-detail">{detail}</span>}
      {next !== undefined && <span className="hf-status-next">{next}</span>}
    </span>
  )
}
