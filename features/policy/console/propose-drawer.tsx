import './strategy.css'
import { CallError, type OutputOf } from '@holdfast/contract'
import { ApprovalLink, useApprovalLinks } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { bringIntoView, Button, CopyButton, DrawerBody, DrawerFooter, ErrorState, LoadingState, Note, useDrawerPage } from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkPolicyDraft, getPolicy, type PolicyDraft, proposePolicy } from '../contract.ts'
import { policyErrors } from '../errors.ts'
import { ChangeLines, ClosedOrders, Quorums } from './change-parts.tsx'
import { DraftAssets, DraftCallRules } from './draft-additions.tsx'
import { DraftStakeRules } from './draft-stake-rules.tsx'
import { DraftMatrix } from './draft-matrix.tsx'
import { DraftPages } from './draft-pages.tsx'
import { draftOf, newcomerFault, type PolicyView } from './draft.ts'
import { officersFault } from './officers.ts'
import { ReplaceOfficers } from './replace-officers.tsx'
import { ReplaceSigner } from './replace-signer.tsx'

const idOf = requestIdKeeper()

/** The next version of the policy: who may ask and approve, checked and put into words before it is proposed. */
export function ProposeDrawer() {
  const { data, error, refetch } = useEndpoint(getPolicy, {})
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}</DrawerBody>
  return <Editor policy={data} />
}

type Checked = { draft: PolicyDraft; outcome: OutputOf<typeof checkPolicyDraft> }

function Editor({ policy }: { policy: PolicyView }) {
  const { t } = useTranslation('strategyEngine')
  const { close } = useDrawerPage()
  // The version the person began with stays the base: if it changes meanwhile, the server says so.
  const [start] = useState(policy)
  const [draft, setDraft] = useState(() => draftOf(policy))
  const [checked, setChecked] = useState<Checked>()
  const check = useSend(checkPolicyDraft)
  const propose = useSend(proposePolicy)
  const second = useSecondFactor()
  if (propose.data) return <Proposed url={propose.data.approval_url} onClose={() => close()} />
  const review = () => check.mutate({ draft }, { onSuccess: (outcome) => setChecked({ draft, outcome }) })
  const send = () => propose.mutate({ request_id: idOf(draft), draft, ...second.given })
  const isFaulty = newcomerFault(draft, start) !== undefined || officersFault(draft) !== undefined
  const isReviewed = checked?.draft === draft && checked.outcome.fault === null
  return (
    <>
      <DrawerBody>
        <Note>{t('propose.note')}</Note>
        <DraftMatrix policy={start} draft={draft} onChange={setDraft} />
        <DraftAssets draft={draft} onChange={setDraft} />
        <DraftCallRules policy={start} draft={draft} onChange={setDraft} />
        <DraftStakeRules policy={start} draft={draft} onChange={setDraft} />
        <DraftPages policy={start} draft={draft} onChange={setDraft} />
        <ReplaceSigner policy={start} draft={draft} onChange={setDraft} />
        <ReplaceOfficers draft={draft} onChange={setDraft} />
        {checked && checked.draft === draft && <Review outcome={checked.outcome} />}
        {propose.error && <Refused error={propose.error} />}
        {isReviewed && second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('propose.cancel')}</Button>
        {isReviewed ? (
          <Button variant="primary" loading={propose.isPending} disabled={!second.isReady} onClick={send}>
            {t('propose.send')}
          </Button>
        ) : (
          <Button variant="primary" loading={check.isPending} disabled={isFaulty} onClick={review}>
            {t('propose.review')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}

function Review({ outcome }: { outcome: Checked['outcome'] }) {
  const { t } = useTranslation('strategyEngine')
  if (outcome.fault !== null) {
    return (
      <div ref={bringIntoView} role="alert">
        <Note tone="bad" title={t(outcome.fault_code === policyErrors.strategy_personnel_error.code ? 'propose.peopleFault' : 'propose.fault')}>
          {outcome.fault}
        </Note>
      </div>
    )
  }
  return (
    <section ref={bringIntoView} className="hf-panel hf-stack" aria-live="polite">
      <h3>{t('propose.changes')}</h3>
      <ChangeLines lines={outcome.lines} />
      <ClosedOrders closes={outcome.closes} />
      <Quorums quorums={outcome.quorums} />
    </section>
  )
}

/** Why the server did not take it: what the people chosen cannot do is said with the reason, where they are chosen. */
function Refused({ error }: { error: Error }) {
  const { t } = useTranslation('strategyEngine')
  const isOfPeople = error instanceof CallError && error.is(policyErrors.strategy_personnel_error)
  const { reason } = (isOfPeople ? error.data : {}) as { reason?: string }
  return (
    <div ref={bringIntoView} role="alert">
      <Note tone="bad" title={t(isOfPeople ? 'propose.peopleFault' : 'propose.fault')}>
        {reason ?? error.message}
      </Note>
    </div>
  )
}

function Proposed({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useTranslation('strategyEngine')
  const { href } = useApprovalLinks()(url)
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('propose.done')}>
          {t('propose.doneNote')}
        </Note>
        <div className="hf-row">
          <ApprovalLink href={url}>{t('change.open')}</ApprovalLink>
          <CopyButton text={href} label={t('propose.copy')} showLabel />
        </div>
      </DrawerBody>
      <DrawerFooter>
        <Button variant="primary" onClick={onClose}>
          {t('propose.close')}
        </Button>
      </DrawerFooter>
    </>
  )
}
