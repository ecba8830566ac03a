import type { CoinPlace } from '@holdfast/features/console-feature'
import { usePermission } from '@holdfast/features/session/console'
import { closePopup, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { openCallDrawer } from './open-call-drawer.tsx'

/** Calls a contract: in the menu of the own coin of a network that has contracts. */
export function CallAction({ subWallet, coin: { chain, network, symbol, contract } }: CoinPlace) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  if (!mayAsk || contract !== null || !chain.startsWith('eip155:')) return null
  const call = () => openCallDrawer(drawers, { title: t('contractCall.newTitle'), subWallet, chain, network, coin: symbol })
  return (
    <li>
      <button
        type="button"
        className="hf-menu-item"
        aria-label={t('contractCall.openFor', { network })}
        onClick={(event) => {
          closePopup(event.currentTarget)
          call()
        }}
      >
        {t('contractCall.open')}
      </button>
    </li>
  )
}
