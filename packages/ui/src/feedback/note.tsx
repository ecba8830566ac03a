import type { ReactNode } from 'react'
import { IconDone, IconError, IconInfo, IconWarning } from '../base/icons.tsx'

export type NoteTone = 'info' | 'good' | 'warn' | 'bad'

const ICONS = { info: IconInfo, good: IconDone, warn: IconWarning, bad: IconError }

/** Something to know before going on. */
export function Note({ tone = 'info', title, children }: { tone?: NoteTone; title?: ReactNode; children?: ReactNode }) {
  const Icon = ICONS[tone]
  return (
    <div className={`hf-note hf-note-${tone}`} role="note">
      <Icon className="hf-note-icon" />
      <div>
        {title !== undefined && <p className="hf-note-title">{title}</p>}
        {children !== undefined && <div className="hf-note-text">{children}</div>}
      </div>
    </div>
  )
}
