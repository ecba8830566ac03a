import type { CoinPlace } from '@holdfast/features/console-feature'
import { Button, IconDown, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { openDepositDrawer } from './open-deposit-drawer.tsx'

/** Shows where a coin is received. */
export function DepositAction({ walletId, subWallet, coin: { chain, network, symbol } }: CoinPlace) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const deposit = () => openDepositDrawer(drawers, { title: t('depositAddress.title', { symbol }), walletId, subWallet, chain, symbol })
  return (
    <Button size="small" variant="quiet" icon={<IconDown />} onClick={deposit} label={t('depositAddress.openFor', { symbol, network })}>
      {t('depositAddress.open')}
    </Button>
  )
}
