import { ApprovalLink, useApprovalLinks } from '@holdfast/features/approval-page/console'
import { useEndpoint } from '@holdfast/client'
import { Amount, Button, DrawerBody, DrawerFooter, Facts, Fingerprint, IconDone, useDrawerPage } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { readSignProtection } from '../contract.ts'
import { type Draft, unitOf } from './draft.ts'

export type Sent = { orderId: string; approvalUrl: string; intentHash: string }

/** The order exists and waits. Says what happens next, and leads to the page of its approval. */
export function SentStep({ draft, sent }: { draft: Draft; sent: Sent }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const navigate = useNavigate()
  const { data: protection } = useEndpoint(readSignProtection, { withdraw_id: sent.orderId })
  const { href } = useApprovalLinks()(sent.approvalUrl)
  const view = () => {
    close()
    void navigate(`/mpc/center/wallet/transactions?order=${sent.orderId}`)
  }
  return (
    <>
      <DrawerBody>
        <div className="hf-confirm hf-confirm-success" role="status">
          <IconDone className="hf-confirm-icon" aria-hidden />
          <p className="hf-confirm-title">{t('withdrawal.sent.title')}</p>
          <p className="hf-confirm-content">{t('withdrawal.sent.text')}</p>
        </div>
        <Facts
          facts={[
            { label: t('withdrawal.review.pay'), value: <Amount value={draft.paid} unit={unitOf(draft.coin)} /> },
            { label: t('withdrawal.sent.needs'), value: draft.outcome.sentence },
            { label: t('withdrawal.sent.fingerprint'), value: <Fingerprint hex={sent.intentHash} />, wide: true },
          ]}
        />
        {protection?.blocked_me && <p className="hf-small hf-muted">{t('withdrawal.sent.protected')}</p>}
        <p className="hf-small hf-muted">{t('withdrawal.sent.handOn')}</p>
        <div className="hf-stack-tight">
          <div className="hf-row-tight">
            <ApprovalLink variant="primary" href={sent.approvalUrl}>
              {t('withdrawal.sent.openApproval')}
            </ApprovalLink>
          </div>
          <a className="hf-small hf-break" href={href} target="_blank" rel="noopener">
            {href}
          </a>
        </div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        <Button onClick={view}>{t('withdrawal.sent.view')}</Button>
      </DrawerFooter>
    </>
  )
}
