import type { CoinPlace } from '@holdfast/features/console-feature'
import { usePermission } from '@holdfast/features/session/console'
import { Button, IconUp, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { openWithdrawDrawer } from './open-withdraw-drawer.tsx'

/** Requests a payment of a coin. */
export function WithdrawAction({ subWallet, coin: { chain, network, symbol, isPayable } }: CoinPlace) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  if (!mayAsk) return null
  const withdraw = () => openWithdrawDrawer(drawers, { title: t('withdrawal.title'), subWallet, coin: { chain, symbol } })
  return (
    <Button size="small" variant="quiet" icon={<IconUp />} disabled={!isPayable} onClick={withdraw} label={t('withdrawal.openFor', { symbol, network })}>
      {t('withdrawal.open')}
    </Button>
  )
}
