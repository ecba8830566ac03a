import { requestIdKeeper, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { ChangeLines, ClosedOrders, Quorums } from '@holdfast/features/policy/console'
import { useUserInfo } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, ErrorState, Label, LoadingState, Note, TextField, useDrawerPage } from '@holdfast/ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkRules, proposeRules } from '../../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { approversIn } from '../draft/rules-draft.ts'
import { type Rules, withNewKeys } from '../draft/use-rules.ts'

const idOf = requestIdKeeper()

type Outcome = OutputOf<typeof checkRules>

/** What a draft changes, in words, and who has to approve it; from here it is proposed. Closes with `proposed` once it is. */
export function ReviewDrawer({ rules, draft: given }: { rules: Rules; draft: RulesDraft }) {
  const { t } = useTranslation('strategyEngine')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const needsCode = useUserInfo().data?.google_bind === true
  const [code, setCode] = useState('')
  const [draft] = useState(() => withNewKeys(given, rules.view, approversIn(given)))
  const check = useSend(checkRules)
  const propose = useSend(proposeRules)
  const ask = () => check.mutate({ draft })
  // Once, when it is opened: the draft does not change while it is.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(ask, [])
  if (propose.data) return <Proposed url={propose.data.approval_url} />
  const outcome = check.data
  const canPropose = outcome !== undefined && outcome.faults.length === 0 && (!needsCode || /^\d{6}$/.test(code))
  const send = () => propose.mutate({ request_id: idOf(draft), draft, ...(needsCode ? { google_code: code } : {}) })
  return (
    <>
      <DrawerBody>
        {outcome ? <Reviewed outcome={outcome} /> : check.error ? <ErrorState error={check.error} onRetry={ask} /> : <LoadingState rows={6} />}
        {outcome?.faults.length === 0 && needsCode && (
          <TextField label={t('propose.code')} value={code} onChange={setCode} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>
        <Button variant="primary" disabled={!canPropose} loading={propose.isPending} onClick={send}>
          {t('rules.review.send')}
        </Button>
      </DrawerFooter>
    </>
  )
}

function Reviewed({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('strategyEngine')
  const { faults, warnings, lines, closes, quorums } = outcome
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
