import { usePermission } from '@holdfast/features/session/console'
import { paySeveralPath, useSelection, useWallets } from '@holdfast/features/wallet/console'
import { IconUp, type PaletteSource, usePaletteSource } from '@holdfast/ui'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

/** Adds what can be paid from the sub-wallet in use to the command palette. */
export function PaymentPalette() {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const mayAsk = usePermission('withdraw.create')
  const { wallets } = useWallets()
  const { wallet: chosen, subWallet } = useSelection()
  const wallet = wallets?.find((each) => each.wallet_id === chosen?.id) ?? wallets?.[0]
  const from = wallet?.sub_wallet_list.find((each) => each.sub_wallet_id === subWallet?.id) ?? wallet?.sub_wallet_list[0]
  usePaletteSource(
    useMemo((): PaletteSource | undefined => {
      if (!mayAsk || !wallet || !from) return undefined
      const title = t('withdrawal.several.title')
      const detail = `${wallet.alias ?? wallet.wallet_name} / ${from.alias ?? from.sub_wallet_name}`
      const run = () => void navigate(paySeveralPath(from.sub_wallet_id))
      return {
        key: 'payments',
        title: t('withdrawal.title'),
        order: 15,
        items: [{ key: 'several', title, detail, words: 'batch payout csv 批量', icon: IconUp, run }],
      }
      // The words change with the language.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [i18n.language, mayAsk, wallet, from, navigate]),
  )
  return null
}
