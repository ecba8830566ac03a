import type { ReactNode } from 'react'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'
import { Label } from '../base/label.tsx'
import type { Tone } from '../feedback/status-tag.tsx'
import { Time } from './time.tsx'

export type TimelineItem = {
  key: string
  tone: Tone
  title: ReactNode
  /** Who made this step. */
  actor?: string
  atMs?: number | null
  note?: ReactNode
  /** Still to come. */
  isAhead?: boolean
}

/** The steps of a story, oldest first: what happened, who did it and when. */
export function Timeline({ items, label }: { items: readonly TimelineItem[]; label: string }) {
  return (
    <ol className="hf-timeline" aria-label={plainText(label, LABEL_LIMIT)}>
      {items.map((item) => (
        <li key={item.key} className={`hf-timeline-item hf-tone-${item.tone}${item.isAhead ? ' hf-timeline-ahead' : ''}`}>
          <div className="hf-timeline-title">{item.title}</div>
          {(item.actor !== undefined || item.atMs != null) && (
            <div className="hf-timeline-meta">
              {item.actor !== undefined && <Label text={item.actor} />}
              {item.atMs != null && <Time ms={item.atMs} />}
            </div>
          )}
          {item.note !== undefined && <div className="hf-timeline-note">{item.note}</div>}
        </li>
      ))}
    </ol>
  )
}
