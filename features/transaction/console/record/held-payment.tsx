import { decideClaim, withdrawClaim } from '@holdfast/features/deposit/contract'
import { usePermission, useSession } from '@holdfast/features/session/console'
import { subWalletPath } from '@holdfast/features/wallet/console'
import { Button, confirm, Label, Note, Time, useDrawers } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { openClaimDrawer } from './open-claim-drawer.tsx'
import type { Deposit } from './payment-facts.tsx'

type Claim = Deposit['claims'][number]

/** What can be done with a payment that is held: one person says whose it is, another one decides, or it stays held with a reason. */
export function HeldPayment({ deposit }: { deposit: Deposit }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAssign = usePermission('deposit.assign')
  if (deposit.held === null) return null
  const open = deposit.claims.find(({ state }) => state === 'asked')
  if (open) return <OpenClaim claim={open} />
  const last = deposit.claims.at(-1)
  const { comments } = deposit.held
  return (
    <Note tone="warn" title={t('transaction.held.title')}>
      <div className="hf-stack-tight">
        {last?.state === 'kept' && <Said claim={last} words={t('transaction.held.kept')} />}
        <p>{t('transaction.held.text', { subWallet: subWalletPath(deposit) })}</p>
        {mayAssign && (
          <div>
            <Button
              size="small"
              onClick={() =>
                openClaimDrawer(drawers, { deposit: { id: deposit.id, comments, subWallet: subWalletPath(deposit) }, title: t('transaction.held.assign') })
              }
            >
              {t('transaction.held.assign')}
            </Button>
          </div>
        )}
      </div>
    </Note>
  )
}

/** What one person said and another one has to decide. Never the same one. */
function OpenClaim({ claim }: { claim: Claim }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const session = useSession()
  const mayDecide = usePermission('deposit.audit')
  const decide = useSend(decideClaim)
  const withdraw = useSend(withdrawClaim)
  const isMine = claim.by.person_id === session?.session?.person_id
  const ask = async (result: 'confirm' | 'refuse') => {
    const answer = await confirm(drawers, {
      type: result === 'confirm' ? 'warning' : 'error',
      title: t(`transaction.held.${result}.title`),
      content: t(`transaction.held.${result}.text`),
      remark: true,
      ...(result === 'confirm' && { acknowledgement: t('transaction.held.checked') }),
      confirmText: t(`transaction.held.${result}.open`),
    })
    if (answer.outcome === 'confirm') await decide.mutateAsync({ claim_id: claim.id, result, reason: answer.remark }).catch(() => undefined)
  }
  return (
    <Note tone="warn" title={t('transaction.held.waiting')}>
      <div className="hf-stack-tight">
        <Said claim={claim} words={claim.memo === null ? t('transaction.held.ofNobody') : t('transaction.held.of', { payer: claim.label ?? claim.memo })} />
        {claim.label !== null && claim.memo !== null && <p className="hf-mono hf-small">{claim.memo}</p>}
        <span className="hf-row-tight">
          {isMine && (
            <Button size="small" loading={withdraw.isPending} onClick={() => withdraw.mutate({ claim_id: claim.id })}>
              {t('transaction.held.withdraw')}
            </Button>
          )}
          {!isMine && mayDecide && (
            <>
              <Button size="small" variant="primary" loading={decide.isPending} onClick={() => void ask('confirm')}>
                {t('transaction.held.confirm.open')}
              </Button>
              <Button size="small" variant="danger" onClick={() => void ask('refuse')}>
                {t('transaction.held.refuse.open')}
              </Button>
            </>
          )}
        </span>
      </div>
    </Note>
  )
}

function Said({ claim, words }: { claim: Claim; words: string }) {
  return (
    <p>
      <Label text={claim.by.name} />, <Time ms={claim.at} />: {words} <Label text={claim.reason} wrap />
    </p>
  )
}
