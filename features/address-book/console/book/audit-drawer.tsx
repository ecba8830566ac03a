import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { usePermission } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, ErrorState, Facts, Label, LoadingState, Note, Time } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { decideBookAudit, getBookAudit } from '../../book-contract.ts'
import { WhitelistChanges } from './whitelist-changes.tsx'

type Audit = OutputOf<typeof getBookAudit>

/** One request about the whitelist: every address in it, who said what, and which signers follow it. */
export function AuditDrawer({ id }: { id: string }) {
  const { data, error, refetch } = useEndpoint(getBookAudit, { id })
  if (data) return <Asked audit={data} />
  return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</DrawerBody>
}

function Asked({ audit }: { audit: Audit }) {
  const { t } = useTranslation('whiteAddress')
  const mayWrite = usePermission('address_book.write')
  const decide = useSend(decideBookAudit)
  const { id, state, need, approved, rejected, waiting, mine, followed, initiator, remark, reason } = audit
  const isOpen = state === 'approving'
  const names = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(t('book.audit.comma'))
  return (
    <>
      <DrawerBody>
        {reason !== null && <Note tone="warn">{reason}</Note>}
        <Facts
          facts={[
            { label: t('book.audit.state'), value: t(`book.audit.${state}`) },
            state === 'followed' ? { label: t('book.audit.version'), value: audit.version } : undefined,
            { label: t('book.audit.approvals'), value: t('book.audit.of', { have: approved.length, need }) },
            approved.length === 0 ? undefined : { label: t('book.audit.approvedBy'), value: <Label text={names(approved)} wrap /> },
            rejected.length === 0 ? undefined : { label: t('book.audit.rejectedBy'), value: <Label text={names(rejected)} wrap /> },
            !isOpen || waiting.length === 0 ? undefined : { label: t('book.audit.waitingFor'), value: <Label text={names(waiting)} wrap /> },
            followed.length === 0 ? undefined : { label: t('book.audit.signers'), value: followed.join(t('book.audit.comma')) },
            { label: t('book.log.who'), value: <Label text={initiator.name} /> },
            { label: t('book.log.at'), value: <Time ms={audit.created_at} /> },
            isOpen ? { label: t('book.audit.until'), value: <Time ms={audit.expire_at} /> } : undefined,
            remark === '' ? undefined : { label: t('personal.remark'), value: <Label text={remark} wrap />, wide: true },
          ]}
        />
        <WhitelistChanges changes={audit.changes} checks={audit.checks} />
      </DrawerBody>
      {isOpen && (
        <DrawerFooter>
          {mine === 'initiator' && mayWrite && (
            <Button loading={decide.isPending} onClick={() => decide.mutate({ id, result: 'withdraw' })}>
              {t('book.audit.withdraw')}
            </Button>
          )}
          <ApprovalLink href={audit.approval_url}>{t('book.asked.open')}</ApprovalLink>
        </DrawerFooter>
      )}
    </>
  )
}
