import './collection.css'
import { useEndpoint, useSend } from '@holdfast/client'
import { useSecondFactor } from '@holdfast/features/session/console'
import { subWalletLabel, useWallets, walletLabel } from '@holdfast/features/wallet/console'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { Button, Note, PickField, SelectField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { listCollectorChains, saveCollector } from '../contract.ts'
import { MOST, numbersOf, wrongNumbers } from './collector-typed.ts'
import { type Collector, Everything, HOME, OfCollector, OfWallet } from './of-collector.tsx'

const WAYS = ['allowance', 'delegation'] as const

/** Drafts a collector. */
export function AddPage() {
  const { t } = useTranslation('collection')
  return (
    <OfWallet title={t('collector.add')} lead={t('collector.form.lead')}>
      {(walletId) => <Form walletId={walletId} of={undefined} />}
    </OfWallet>
  )
}

/** Changes a collector; its target only as long as nobody was asked to approve it. */
export function EditPage() {
  const { t } = useTranslation('collection')
  return (
    <OfCollector title={t('collector.form.edit')} lead={t('collector.form.lead')}>
      {(of) => <Form walletId={of.wallet_id} of={of} />}
    </OfCollector>
  )
}

function Form({ walletId, of }: { walletId: string; of: Collector | undefined }) {
  const { t } = useTranslation('collection')
  const { t: common } = useTranslation()
  const go = useNavigate()
  const second = useSecondFactor()
  const chains = useEndpoint(listCollectorChains, { wallet_id: walletId }).data?.list.filter(({ supported }) => supported) ?? []
  const save = useSend(saveCollector)
  const [typed, setTyped] = useState({
    way: of?.way ?? ('allowance' as Collector['way']),
    ...{ name: of?.name ?? '', chain: of?.chain ?? '', target: chosenOf(of?.target, walletId), payer: chosenOf(of?.payer, walletId) },
    ...{ fee: of?.fee_max ?? '', transactions: String(of?.transactions ?? 1000), days: String(of?.days ?? 90) },
  })
  const set = (changes: Partial<typeof typed>) => setTyped((present) => ({ ...present, ...changes }))
  const { name, chain, way, target, payer, fee, transactions, days } = typed
  const isFixed = of !== undefined && of.orders.collect !== null
  const isChosen = name.trim() !== '' && chain !== '' && target.subWalletId !== '' && payer.subWalletId !== ''
  const numbers = numbersOf(typed)
  const wrong = wrongNumbers(typed)
  const isReady = isChosen && numbers !== undefined && second.isReady
  const send = () => {
    if (!isReady) return
    save.mutate(
      {
        ...{
          ...(of && { id: of.id }),
          wallet_id: walletId,
          name: name.trim(),
          chain,
          way,
          target_sub_wallet_id: target.subWalletId,
          payer_sub_wallet_id: payer.subWalletId,
        },
        ...numbers,
        ...second.given,
      },
      { onSuccess: ({ id }) => void go(of ? `${HOME}/detail/${id}` : `${HOME}/editThreshold/${id}`) },
    )
  }
  const chosen = chains.find((each) => each.chain === chain)
  const symbol = chosen?.symbol ?? of?.gas_symbol ?? ''
  return (
    <form
      className="hf-panel hf-stack hf-sweep-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextField label={t('collector.name')} value={name} onChange={(value) => set({ name: value })} maxLength={60} />
      {isFixed ? (
        <Note tone="info" title={t('collector.form.fixed')} />
      ) : (
        <>
          <PickField
            label={t('collector.network')}
            value={chain === '' ? undefined : chain}
            options={chains.map((each) => ({ value: each.chain, label: each.network }))}
            onChange={(value) => set({ chain: value, way: 'allowance' })}
          />
          {chosen?.delegates && (
            <SelectField
              label={t('collector.way.title')}
              hint={t(`collector.way.${way}Hint`)}
              value={way}
              options={WAYS.map((value) => ({ value, label: t(`collector.way.${value}`) }))}
              onChange={(value) => set({ way: value === 'delegation' ? 'delegation' : 'allowance' })}
            />
          )}
          {way === 'delegation' && <Everything />}
          <Place title={t('collector.target')} hint={t('collector.form.targetHint')} value={target} onChange={(value) => set({ target: value })} />
        </>
      )}
      <Place title={t('collector.payer')} hint={t(`collector.form.payerHint.${way}`)} value={payer} onChange={(value) => set({ payer: value })} />
      <div className="hf-sweep-fields">
        <TextField
          label={t('collector.feeMax')}
          hint={t('collector.form.feeHint')}
          value={fee}
          onChange={(value) => set({ fee: value })}
          error={wrong.fee ? t('collector.form.fault.fee') : undefined}
          inputMode="decimal"
          suffix={<span>{symbol}</span>}
        />
        <TextField
          label={t('collector.transactions')}
          value={transactions}
          onChange={(value) => set({ transactions: value })}
          inputMode="numeric"
          error={wrong.transactions ? t('collector.form.fault.whole', { most: MOST.transactions }) : undefined}
        />
        <TextField
          label={t('collector.days')}
          value={days}
          onChange={(value) => set({ days: value })}
          inputMode="numeric"
          error={wrong.days ? t('collector.form.fault.whole', { most: MOST.days }) : undefined}
        />
      </div>
      {second.field}
      <div className="hf-row">
        <Link className="hf-button hf-button-default hf-button-middle" to={of ? `${HOME}/detail/${of.id}` : HOME}>
          {common('ui.confirm.cancel')}
        </Link>
        <Button variant="primary" type="submit" disabled={!isReady} loading={save.isPending}>
          {t('collector.save')}
        </Button>
      </div>
    </form>
  )
}

type Chosen = { walletId: string; subWalletId: string }

const chosenOf = (place: Collector['target'] | undefined, walletId: string): Chosen => ({
  walletId: place?.wallet_id ?? walletId,
  subWalletId: place?.sub_wallet_id ?? '',
})

/** A sub-wallet of any wallet. */
function Place({ title, hint, value, onChange }: { title: string; hint: string; value: Chosen; onChange: (value: Chosen) => void }) {
  const { t } = useTranslation('collection')
  const { wallets } = useWallets()
  const { data } = useEndpoint(listAllSubWallets, { wallet_id: value.walletId })
  return (
    <fieldset className="hf-fieldset">
      <legend>{title}</legend>
      <PickField
        label={t('collector.form.wallet')}
        value={value.walletId}
        options={(wallets ?? []).map((each) => ({ value: each.wallet_id, label: walletLabel(each) }))}
        onChange={(walletId) => onChange({ walletId, subWalletId: '' })}
      />
      <PickField
        label={t('collector.form.subWallet')}
        hint={hint}
        value={value.subWalletId === '' ? undefined : value.subWalletId}
        options={(data ?? []).map((each) => ({ value: each.sub_wallet_id, label: subWalletLabel(each) }))}
        onChange={(subWalletId) => onChange({ ...value, subWalletId })}
      />
    </fieldset>
  )
}
