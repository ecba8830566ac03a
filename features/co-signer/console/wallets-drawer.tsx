import { useEndpoint, useSend } from '@holdfast/client'
import { useSecondFactor } from '@holdfast/features/session/console'
import { subWalletLabel, useWallets, walletLabel } from '@holdfast/features/wallet/console'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { DrawerForm, Note, PickField, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveCollectingSubWallets } from '../contract.ts'
import type { Collecting } from './index-page.tsx'

type Chosen = { walletId: string; subWalletId: string }

/** Says which sub-wallet collects, and which one pays for fees. */
export function WalletsDrawer({ walletId, of }: { walletId: string; of: Collecting }) {
  const { t } = useTranslation('coSigner')
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const save = useSend(saveCollectingSubWallets)
  const [collect, setCollect] = useState<Chosen>(chosenOf(of.collect, walletId))
  const [fuel, setFuel] = useState<Chosen>(chosenOf(of.fuel, walletId))
  const isSame = collect.subWalletId !== '' && collect.subWalletId === fuel.subWalletId
  const isReady = collect.subWalletId !== '' && !isSame && second.isReady
  const send = () =>
    save.mutate(
      {
        wallet_id: walletId,
        collect_sub_wallet_id: collect.subWalletId,
        ...(fuel.subWalletId !== '' && { fueling_sub_wallet_id: fuel.subWalletId }),
        ...second.given,
      },
      { onSuccess: () => close() },
    )
  return (
    <DrawerForm send={t('collect.save')} isSending={save.isPending} isShut={!isReady} onSend={send}>
      <p className="hf-muted">{t('collect.wallets.text')}</p>
      <Place title={t('collect.collectWallet')} value={collect} onChange={setCollect} />
      <Place title={t('collect.fuelWallet')} value={fuel} onChange={setFuel} />
      <p className="hf-small hf-muted">{t('collect.wallets.fuelNote')}</p>
      {isSame && <Note tone="bad">{t('collect.wallets.same')}</Note>}
      {second.field}
    </DrawerForm>
  )
}

const chosenOf = (place: Collecting['collect'], walletId: string): Chosen => ({
  walletId: place?.wallet_id ?? walletId,
  subWalletId: place?.sub_wallet_id ?? '',
})

function Place({ title, value, onChange }: { title: string; value: Chosen; onChange: (value: Chosen) => void }) {
  const { t } = useTranslation('coSigner')
  const { wallets } = useWallets()
  const { data } = useEndpoint(listAllSubWallets, { wallet_id: value.walletId })
  return (
    <fieldset className="hf-collect-place">
      <legend>{title}</legend>
      <PickField
        label={t('collect.wallets.wallet')}
        value={value.walletId}
        options={(wallets ?? []).map((each) => ({ value: each.wallet_id, label: walletLabel(each) }))}
        onChange={(walletId) => onChange({ walletId, subWalletId: '' })}
      />
      <PickField
        label={t('collect.wallets.subWallet')}
        value={value.subWalletId || undefined}
        options={(data ?? []).map((each) => ({ value: each.sub_wallet_id, label: subWalletLabel(each) }))}
        onChange={(subWalletId) => onChange({ ...value, subWalletId })}
      />
    </fieldset>
  )
}
