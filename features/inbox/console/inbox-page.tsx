import './inbox.css'
import { useEndpoint } from '@holdfast/client'
import { EmptyState, ErrorState, LoadingState, PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listInbox } from '../contract.ts'
import { MarkRead, Needs, needsCount, NewsList } from './inbox-parts.tsx'

/** What needs the person, and what happened in their organisation. */
export function InboxPage() {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listInbox, {})
  return (
    <>
      <PageHeader title={t('inbox.title')} actions={data && <MarkRead inbox={data} />}>
        {t('inbox.note')}
      </PageHeader>
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />)}
      {data && (
        <div className="hf-stack-wide">
          <section className="hf-panel hf-stack" aria-labelledby="inbox-needs">
            <h2 id="inbox-needs">{t('inbox.needs.title')}</h2>
            {needsCount(data) === 0 ? <p className="hf-muted">{t('inbox.needs.none')}</p> : <Needs inbox={data} />}
          </section>
          <section className="hf-panel hf-stack" aria-labelledby="inbox-news">
            <h2 id="inbox-news">{t('inbox.happened')}</h2>
            {data.news.length === 0 ? <EmptyState title={t('inbox.none')} /> : <NewsList news={data.news} />}
            <p className="hf-small hf-muted">{t('inbox.bounds')}</p>
          </section>
        </div>
      )}
    </>
  )
}
