import { CallError, TransportError } from '@holdfast/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { plainText } from '../format/hostile-text.ts'
import { Button } from '../base/button.tsx'

const LONGEST = 600

type EmptyStateProps = {
  title: string
  /** Over the words, and no more than them. */
  drawing?: 'sheet' | 'coins' | 'search' | 'done'
  children?: ReactNode
  action?: ReactNode
}

/** A place where nothing is yet: what would be here, and how it gets here. */
export function EmptyState({ title, drawing = 'sheet', children, action }: EmptyStateProps) {
  return (
    <div className={`hf-empty hf-drawn hf-drawn-${drawing}`}>
      <p className="hf-empty-title">{title}</p>
      {children !== undefined && <div className="hf-empty-text">{children}</div>}
      {action}
    </div>
  )
}

/** What went wrong while something was fetched, and the way to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="hf-empty" role="alert">
      <p className="hf-empty-title">{t('ui.error.title')}</p>
      <p className="hf-empty-text">{sentenceOf(error, t)}</p>
      {onRetry && <Button onClick={onRetry}>{t('ui.error.retry')}</Button>}
    </div>
  )
}

function sentenceOf(error: unknown, t: (key: string) => string): string {
  if (error instanceof CallError) return plainText(error.message, LONGEST)
  if (error instanceof TransportError) return error.reason === 'unreadable' ? t('ui.error.unreadable') : t('ui.error.unreachable')
  return t('ui.error.unexpected')
}

/** Grey bars in the place of what is still being fetched. */
export function LoadingState({ rows = 4 }: { rows?: number }) {
  const { t } = useTranslation()
  return (
    <div className="hf-loading" role="status" aria-label={t('ui.loading')}>
      {Array.from({ length: rows }, (_, at) => (
        <Bar key={at} />
      ))}
    </div>
  )
}

/** One grey bar. */
export function Bar() {
  return <span className="hf-bar" aria-hidden />
}
