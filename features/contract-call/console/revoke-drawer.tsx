import { requestIdKeeper, useSend } from '@holdfast/client'
import { useSecondFactor } from '@holdfast/features/session/console'
import { DrawerForm, ErrorState } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { revokeBatchAllowance } from '../contract.ts'
import { CallSent } from './call-sent.tsx'

export type BatchAllowance = { sub_wallet_id: string; chain: string; symbol: string }

/** Asks that the contract that pays batches may take nothing more of a token. */
export function RevokeDrawer({ allowance }: { allowance: BatchAllowance }) {
  const { t } = useTranslation()
  const second = useSecondFactor()
  const [requestIdOf] = useState(() => requestIdKeeper())
  const revoke = useSend(revokeBatchAllowance)
  if (revoke.data) return <CallSent href={revoke.data.approval_url} />
  const send = () => revoke.mutate({ request_id: requestIdOf(allowance), ...allowance, ...second.given })
  return (
    <DrawerForm send={t('contractCall.allowances.revoke')} isSending={revoke.isPending} isShut={!second.isReady} variant="danger" onSend={send}>
      <p>{t('contractCall.allowances.batchRevoke', { symbol: allowance.symbol })}</p>
      {second.field}
      {revoke.error !== null && <ErrorState error={revoke.error} />}
    </DrawerForm>
  )
}
