import { useEndpoint, useSend } from '@holdfast/client'
import { CallError } from '@holdfast/contract'
import { listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { listAllSubWallets, listWallets } from '@holdfast/features/wallet/contract'
import { Address, DrawerForm, ErrorState, ManyPicker, Note, PickField, TextField, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveMonitored } from '../contract.ts'
import type { Monitored } from './monitored-card.tsx'
import { useMemberOptions } from './receivers-part.tsx'

const WHOLE = /^(0|[1-9]\d{0,17})$/
const COIN = /^(0|[1-9]\d{0,17})(\.\d{1,6})?$/

type Target = { chain: string; address: string }

/** Sets from when on somebody is told of an address: of one that is watched, or of one that is chosen here. */
export function WatchDrawer({ of }: { of?: Monitored }) {
  const { t } = useTranslation('tools')
  const { close } = useDrawerPage()
  const members = useMemberOptions()
  const save = useSend(saveMonitored)
  const [target, setTarget] = useState<Target | undefined>(of)
  const [energy, setEnergy] = useState(of?.energy_min ?? '65000')
  const [net, setNet] = useState(of?.net_min ?? '345')
  const [coin, setCoin] = useState(of?.trx_min ?? '0')
  const [receivers, setReceivers] = useState<readonly string[]>(of?.receivers ?? [])
  const [isTried, setTried] = useState(false)
  const whole = (text: string) => (isTried && !WHOLE.test(text) ? t('tronTools.form.whole') : undefined)
  const send = async () => {
    setTried(true)
    if (!target || !WHOLE.test(energy) || !WHOLE.test(net) || !COIN.test(coin)) return
    const { chain, address } = target
    const isSaved = await save
      .mutateAsync({ chain, address, energy_min: energy, net_min: net, trx_min: coin, ...(receivers.length > 0 && { receivers: [...receivers] }) })
      .then(
        () => true,
        () => false,
      )
    if (isSaved) close()
  }
  return (
    <DrawerForm send={t('tronTools.form.save')} isSending={save.isPending} isShut={!target} onSend={() => void send()}>
      {save.error instanceof CallError && save.error.code === resourceErrors.tron_no_data.code && <Note tone="bad">{save.error.message}</Note>}
      {of ? <Address address={of.address} /> : <TargetFields target={target} onChange={setTarget} />}
      <TextField label={t('tronTools.form.energyMin')} value={energy} onChange={setEnergy} inputMode="numeric" error={whole(energy)} />
      <TextField label={t('tronTools.form.netMin')} value={net} onChange={setNet} inputMode="numeric" error={whole(net)} />
      <TextField
        label={t('tronTools.form.trxMin')}
        value={coin}
        onChange={setCoin}
        inputMode="decimal"
        hint={t('tronTools.form.zero')}
        error={isTried && !COIN.test(coin) ? t('tronTools.form.decimal') : undefined}
      />
      <div className="hf-stack-tight">
        <span className="hf-label">{t('tronTools.form.receivers')}</span>
        <ManyPicker label={t('tronTools.form.receiversNone')} options={members} values={receivers} onChange={setReceivers} />
      </div>
    </DrawerForm>
  )
}

/** An own address, by its wallet and sub-wallet. */
function TargetFields({ target, onChange }: { target: Target | undefined; onChange(target: Target | undefined): void }) {
  const { t } = useTranslation('tools')
  const [wallet, setWallet] = useState('')
  const [subWallet, setSubWallet] = useState('')
  const wallets = useEndpoint(listWallets, {})
  const coins = useEndpoint(listOpenCoins, {})
  const subWallets = useEndpoint(listAllSubWallets, { wallet_id: wallet }, { enabled: wallet !== '' })
  const addresses = useEndpoint(listUserAddresses, { sub_wallet_id: subWallet, page_no: 1, page_size: 200 }, { enabled: subWallet !== '' })
  const error = wallets.error ?? coins.error ?? subWallets.error ?? addresses.error
  if (error) return <ErrorState error={error} />
  const active = wallets.data ? [...wallets.data.top_wallet, ...wallets.data.wallet_list].filter(({ state }) => state === 'active') : []
  const own = (addresses.data?.list ?? []).flatMap(({ chain, address }) => (address !== null && chain.startsWith('tron:') ? [{ chain, address }] : []))
  const networkOf = (chain: string) => coins.data?.support_main_chain.find((each) => each.chain === chain)?.network ?? chain
  return (
    <>
      <PickField
        label={t('tronTools.form.wallet')}
        value={wallet || undefined}
        options={active.map(({ wallet_id: value, wallet_name: label }) => ({ value, label }))}
        onChange={(id) => {
          setWallet(id)
          setSubWallet('')
          onChange(undefined)
        }}
      />
      <PickField
        label={t('tronTools.form.subWallet')}
        value={subWallet || undefined}
        hint={wallet === '' ? t('tronTools.form.pickFirst') : undefined}
        options={(subWallets.data ?? []).map(({ sub_wallet_id: value, sub_wallet_name: label }) => ({ value, label }))}
        onChange={(id) => {
          setSubWallet(id)
          onChange(undefined)
        }}
      />
      <PickField
        label={t('tronTools.form.address')}
        value={target ? `${target.chain} ${target.address}` : undefined}
        hint={addresses.data && own.length === 0 ? t('tronTools.form.noAddress') : undefined}
        options={own.map(({ chain, address }) => ({ value: `${chain} ${address}`, label: address, detail: networkOf(chain) }))}
        onChange={(value) => {
          const [chain = '', address = ''] = value.split(' ')
          onChange({ chain, address })
        }}
      />
    </>
  )
}
