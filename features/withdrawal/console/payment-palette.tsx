import { usePermission } from '@holdfast/features/session/console'
import { useSelection, useWallets } from '@holdfast/features/wallet/console'
import { IconUp, type PaletteSource, useDrawers, usePaletteSource } from '@holdfast/ui'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { openPaySeveralDrawer } from './several/open-pay-several-drawer.tsx'

/** Adds what can be paid from the sub-wallet in use to the command palette. */
export function PaymentPalette() {
  const { t, i18n } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  const { wallets } = useWallets()
  const { wallet: chosen, subWallet } = useSelection()
  const wallet = wallets?.find((each) => each.wallet_id === chosen?.id) ?? wallets?.[0]
  const from = wallet?.sub_wallet_list.find((each) => each.sub_wallet_id === subWallet?.id) ?? wallet?.sub_wallet_list[0]
  usePaletteSource(
    useMemo((): PaletteSource | undefined => {
      if (!mayAsk || !wallet || !from) return undefined
      const title = t('withdrawal.several.title')
      const payer = { id: from.sub_wallet_id, name: from.alias ?? from.sub_wallet_name }
      const detail = `${wallet.alias ?? wallet.wallet_name} / ${payer.name}`
      const run = () => openPaySeveralDrawer(drawers, { title, subWallet: payer })
      return {
        key: 'payments',
        title: t('withdrawal.title'),
        order: 15,
        items: [{ key: 'several', title, detail, words: 'batch payout csv 批量', icon: IconUp, run }],
      }
      // The words change with the language.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [i18n.language, mayAsk, wallet, from, drawers]),
  )
  return null
}
