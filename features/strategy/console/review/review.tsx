import '../rules.css'
import type { checkedDraft } from '../../contract.ts'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { ChangeLines, ClosedOrders, Quorums } from '@holdfast/features/policy/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, ErrorState, Label, LoadingState, Note, useDrawerPage } from '@holdfast/ui'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod'
import { spanWords } from '../words/sentence.ts'

type Outcome = z.output<typeof checkedDraft>

type ReviewProps = {
  /** What was found, once `ask` was called. */
  check: { data: Outcome | undefined; error: unknown }
  ask: () => void
  propose: { data: { approval_url: string } | undefined; isPending: boolean }
  /** Proposes it, with the code of the second factor where the reader has one. */
  send: (code: { google_code?: string }) => void
  /** The way back to where it is put together; without one the drawer is closed. */
  onBack?: () => void
  /** Stands before what is found. */
  children?: ReactNode
}

/** What a drafted change of the policy changes, in words, and who has to approve it; from here it is proposed. Closes with `proposed` once it is. */
export function Review({ check, ask, propose, send, onBack, children }: ReviewProps) {
  const { t } = useTranslation('strategyEngine')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  // Once, when it is opened: the draft does not change while it is.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(ask, [])
  if (propose.data) return <Proposed url={propose.data.approval_url} />
  const outcome = check.data
  const canPropose = outcome !== undefined && outcome.faults.length === 0 && second.isReady
  return (
    <>
      <DrawerBody>
        {children}
        {outcome ? <Reviewed outcome={outcome} /> : check.error ? <ErrorState error={check.error} onRetry={ask} /> : <LoadingState rows={6} />}
        {outcome?.faults.length === 0 && second.field}
      </DrawerBody>
      <DrawerFooter>
        {onBack ? <Button onClick={onBack}>{t('rules.review.back')}</Button> : <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>}
        <Button variant="primary" disabled={!canPropose} loading={propose.isPending} onClick={() => send(second.given)}>
          {t('rules.review.send')}
        </Button>
      </DrawerFooter>
    </>
  )
}

function Reviewed({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('strategyEngine')
  const { faults, warnings, lines, closes, waits_h: waits, quorums } = outcome
  return (
    <>
      {faults.length > 0 && <Found tone="bad" title={t('rules.review.faults')} found={faults} />}
      {warnings.length > 0 && <Found tone="warn" title={t('rules.check.warnings')} found={warnings} />}
      {lines.length > 0 && (
        <section className="hf-stack-tight">
          <h3>{t('rules.review.changes')}</h3>
          <ChangeLines lines={lines} />
        </section>
      )}
      <ClosedOrders closes={closes} />
      {waits > 0 && (
        <Note tone="info" title={t('rules.review.loosens', { span: spanWords({ t }, waits * 3600) })}>
          {t('rules.review.loosensText')}
        </Note>
      )}
      {faults.length === 0 && (
        <section className="hf-stack-tight">
          <h3>{t('rules.review.who')}</h3>
          <Quorums quorums={quorums} />
        </section>
      )}
    </>
  )
}

function Found({ tone, title, found }: { tone: 'bad' | 'warn'; title: string; found: Outcome['faults'] }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <Note tone={tone} title={title}>
      <ul className="hf-bullets">
        {found.map(({ rule_name: name, text }, at) => (
          <li key={at}>
            <Label text={name === null || text.includes(name) ? text : t('rules.review.inRule', { name, text })} wrap />
          </li>
        ))}
      </ul>
    </Note>
  )
}

function Proposed({ url }: { url: string }) {
  const { t } = useTranslation('strategyEngine')
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('propose.done')}>
          {t('rules.review.done')}
        </Note>
      </DrawerBody>
      <DrawerFooter>
        <ApprovalLink href={url}>{t('change.open')}</ApprovalLink>
        <Button variant="primary" onClick={() => close('proposed')}>
          {t('propose.close')}
        </Button>
      </DrawerFooter>
    </>
  )
}
