import { Button, confirm, lazyDrawerBody, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { DraftHandle } from '../draft/use-draft.ts'
import type { Rules } from '../draft/use-rules.ts'

const ReviewDrawer = lazyDrawerBody(() => import('./review-drawer.tsx').then((module) => module.ReviewDrawer))

const WIDTH = 900

/** How much was changed and is not proposed, with the way to propose it and the way back. */
export function ChangeBar({ rules, handle, count }: { rules: Rules; handle: DraftHandle; count: number }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const discard = async () => {
    const answer = await confirm(drawers, {
      type: 'remove',
      title: t('rules.bar.discardTitle', { count }),
      content: t('rules.bar.discardText'),
      confirmText: t('rules.bar.discard'),
    })
    if (answer.outcome === 'confirm') handle.discard()
  }
  const review = () =>
    void drawers
      .push({ title: t('rules.review.title'), body: <ReviewDrawer rules={rules} draft={handle.draft} /> }, { width: WIDTH, maskClosable: false })
      .then((outcome) => outcome === 'proposed' && handle.discard())
  const rebase = () => handle.change({ ...handle.draft, base_version: rules.base.base_version })
  return (
    <div className="hf-rule-bar" role="region" aria-label={t('rules.bar.label')}>
      <p className="hf-stack-tight">
        <strong>{t('rules.bar.count', { count })}</strong>
        <span className="hf-small hf-muted">{t(handle.isOutdated ? 'rules.bar.outdated' : 'rules.bar.note')}</span>
      </p>
      <span className="hf-row-tight">
        <Button onClick={() => void discard()}>{t('rules.bar.discard')}</Button>
        {handle.isOutdated ? (
          <Button variant="primary" onClick={rebase}>
            {t('rules.bar.rebase')}
          </Button>
        ) : (
          <Button variant="primary" onClick={review}>
            {t('rules.bar.review')}
          </Button>
        )}
      </span>
    </div>
  )
}
