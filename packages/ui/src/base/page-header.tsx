import { type ReactNode, useEffect } from 'react'
import { plainText } from '../format/hostile-text.ts'
import { Label } from './label.tsx'

type PageHeaderProps = {
  title: string
  /** Under the title: what this page is about, or the present choice. */
  children?: ReactNode
  /** Above the title, small: where this page belongs. */
  kicker?: ReactNode
  actions?: ReactNode
}

/** The head of a page: its only first-level heading, which also names the browser's tab. */
export function PageHeader({ title, children, kicker, actions }: PageHeaderProps) {
  useEffect(() => void (document.title = `${plainText(title, 80)} · Holdfast`), [title])
  return (
    <header className="hf-page-header">
      <div className="hf-page-header-text">
        {kicker !== undefined && <p className="hf-kicker">{kicker}</p>}
        <h1>
          <Label text={title} wrap />
        </h1>
        {children !== undefined && <div className="hf-page-header-note">{children}</div>}
      </div>
      {actions !== undefined && <div className="hf-page-header-actions">{actions}</div>}
    </header>
  )
}
