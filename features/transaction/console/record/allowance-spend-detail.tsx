import { acknowledgeAllowanceSpend } from '@holdfast/features/deposit/contract'
import { useFiat } from '@holdfast/features/price/console'
import { usePermission } from '@holdfast/features/session/console'
import { useSelectionStore, useWallets } from '@holdfast/features/wallet/console'
import { Button, confirm, Label, Note, Time, useDrawers } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getAllowanceSpend } from '../../contract.ts'
import type { AllowanceSpend } from './payment-facts.tsx'
import { RecordDrawer } from './record-parts.tsx'

/** What somebody took under an allowance: who, for whom, how much more, and who has seen it. */
export function AllowanceSpendDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getAllowanceSpend, { id, ...useFiat().asked })
  const action = data?.sub_status === 'unacknowledged' && <Acknowledge id={id} />
  return (
    <RecordDrawer row={data} error={error} onRetry={() => void refetch()} title={t('transaction.detail.taken')} action={action}>
      {data && <Told spend={data} />}
    </RecordDrawer>
  )
}

/** What people were told of it, and who has acknowledged that. */
function Told({ spend }: { spend: AllowanceSpend }) {
  const { t } = useTranslation()
  const { told, acknowledged, status } = spend
  if (status === 3000) return <Note tone="info">{t('transaction.subStatus.reorged')}</Note>
  if (acknowledged)
    return (
      <Note tone="good" title={t('transaction.pull.acknowledged')}>
        <Label text={acknowledged.by} />, <Time ms={acknowledged.at} />
      </Note>
    )
  return (
    <Note tone="bad" title={t('transaction.pull.title')}>
      <p>{t('transaction.pull.text')}</p>
      {told !== null && <p className="hf-small hf-break">{told}</p>}
      <AllowancesLink spend={spend} />
    </Note>
  )
}

/** Leads to what may still be taken of the same sub-wallet, where it can be revoked. */
function AllowancesLink({ spend: { wallet_id, sub_wallet_id, sub_wallet_name } }: { spend: AllowanceSpend }) {
  const { t } = useTranslation()
  const { wallets } = useWallets()
  const selection = useSelectionStore()
  const wallet = wallets?.find((each) => each.wallet_id === wallet_id)
  if (!wallet) return null
  const choose = () => {
    selection.chooseWallet({ id: wallet_id, name: wallet.alias ?? wallet.wallet_name })
    selection.chooseSubWallet({ id: sub_wallet_id, name: sub_wallet_name })
  }
  return (
    <Link className="hf-small" to="/mpc/center/wallet?tab=allowances" onClick={choose}>
      {t('transaction.pull.allowances')}
    </Link>
  )
}

function Acknowledge({ id }: { id: string }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const may = usePermission('withdraw.audit')
  const acknowledge = useSend(acknowledgeAllowanceSpend)
  if (!may) return null
  const ask = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('transaction.pull.acknowledge'),
      content: t('transaction.pull.acknowledgeText'),
      acknowledgement: t('transaction.pull.looked'),
      confirmText: t('transaction.pull.acknowledge'),
    })
    if (answer.outcome === 'confirm') await acknowledge.mutateAsync({ id }).catch(() => undefined)
  }
  return (
    <Button variant="primary" loading={acknowledge.isPending} onClick={() => void ask()}>
      {t('transaction.pull.acknowledge')}
    </Button>
  )
}
