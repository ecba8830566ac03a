import { IconWallet, type PaletteSource, usePaletteSource } from '@holdfast/ui'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSelectionStore } from './selection.ts'
import { useWallets } from './use-wallets.ts'

/** Adds every wallet to the command palette. */
export function WalletPalette() {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const store = useSelectionStore()
  const { wallets } = useWallets()
  usePaletteSource(
    useMemo(
      (): PaletteSource | undefined =>
        wallets && {
          key: 'wallets',
          title: t('wallet.palette'),
          order: 20,
          items: wallets.map(({ wallet_id: id, wallet_name: own, alias }) => ({
            key: id,
            title: alias ?? own,
            ...(alias === null ? {} : { detail: own }),
            words: id,
            icon: IconWallet,
            run: () => {
              store.chooseWallet({ id, name: alias ?? own })
              void navigate('/mpc/center/wallet')
            },
          })),
        },
      // The words change with the language.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [i18n.language, wallets, store, navigate],
    ),
  )
  return null
}
