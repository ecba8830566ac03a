import './co-signer.css'
import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { Button, ErrorState, LoadingState, Note, PickField, SelectField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { getCollectingRule, setCollectingRule } from '../contract.ts'
import { OfWallet } from './of-wallet.tsx'
import { faultOfRule, type RuleTyped, ruleToSend, typedRule } from './rule-typed.ts'

const HOME = '/mpc/coSigner'

type Coin = OutputOf<typeof listOpenCoins>['coin_list'][number]

/** Sets from how much on a coin is collected, for which fees, and when. */
export function RulePage() {
  const { t } = useTranslation('coSigner')
  const [query] = useSearchParams()
  const chosen = { chain: query.get('chain') ?? '', symbol: query.get('symbol') ?? '' }
  return (
    <OfWallet title={t('collect.rule.title')} lead={t('collect.rule.lead')}>
      {(walletId) => <Loaded walletId={walletId} {...chosen} />}
    </OfWallet>
  )
}

function Loaded({ walletId, chain, symbol }: { walletId: string; chain: string; symbol: string }) {
  const isChosen = chain !== '' && symbol !== ''
  const coins = useEndpoint(listOpenCoins, { wallet_id: walletId })
  const rule = useEndpoint(getCollectingRule, { wallet_id: walletId, chain, symbol }, { enabled: isChosen })
  const error = coins.error ?? rule.error
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([coins.refetch(), rule.refetch()])} />
  if (!coins.data || (isChosen && rule.data === undefined)) return <LoadingState rows={8} />
  return <Form key={`${chain} ${symbol}`} walletId={walletId} coins={coins.data.coin_list} first={typedRule({ chain, symbol }, rule.data ?? undefined)} />
}

function Form({ walletId, coins, first }: { walletId: string; coins: readonly Coin[]; first: RuleTyped }) {
  const { t } = useTranslation('coSigner')
  const { t: common } = useTranslation()
  const go = useNavigate()
  const [typed, setTyped] = useState(first)
  const [isTried, setTried] = useState(false)
  const save = useSend(setCollectingRule)
  const set = (changes: Partial<RuleTyped>) => setTyped((present) => ({ ...present, ...changes }))
  const coin = coins.find(({ chain, symbol }) => chain === typed.chain && symbol === typed.symbol)
  const isToken = coin !== undefined && coin.contract_address !== null
  const fault = faultOfRule(typed, isToken)
  const wrong = (field: keyof RuleTyped) => (isTried && fault === field ? t(`collect.rule.fault.${field}`) : undefined)
  const unit = <span>{coin?.symbol ?? ''}</span>
  const feeUnit = <span>{coin?.base_symbol ?? ''}</span>
  const send = () => {
    setTried(true)
    if (fault === undefined) save.mutate({ wallet_id: walletId, ...ruleToSend(typed, isToken) }, { onSuccess: () => void go(HOME) })
  }
  return (
    <form
      className="hf-panel hf-stack hf-collect-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <PickField
        label={t('collect.rule.coin')}
        value={typed.chain === '' ? undefined : `${typed.chain} ${typed.symbol}`}
        options={coins.map(({ chain, network, symbol }) => ({ value: `${chain} ${symbol}`, label: symbol, detail: network }))}
        onChange={(value) => set({ chain: value.split(' ')[0] ?? '', symbol: value.split(' ').slice(1).join(' ') })}
      />
      {isTried && fault === 'chain' && <Note tone="bad">{t('collect.rule.fault.chain')}</Note>}
      <div className="hf-collect-pair">
        <TextField
          label={t('collect.rule.min')}
          hint={t('collect.rule.minHint')}
          value={typed.min}
          onChange={(min) => set({ min })}
          inputMode="decimal"
          suffix={unit}
          error={wrong('min')}
        />
        <TextField
          label={t('collect.rule.single')}
          hint={t('collect.rule.singleHint')}
          value={typed.single}
          onChange={(single) => set({ single })}
          inputMode="decimal"
          suffix={unit}
          error={wrong('single')}
        />
        <TextField
          label={t('collect.rule.max')}
          hint={t('collect.rule.maxHint')}
          value={typed.max}
          onChange={(max) => set({ max })}
          inputMode="decimal"
          suffix={unit}
          error={wrong('max')}
        />
        {isToken && (
          <TextField
            label={t('collect.rule.fuel')}
            hint={t('collect.rule.fuelHint')}
            value={typed.fuel}
            onChange={(fuel) => set({ fuel })}
            inputMode="decimal"
            suffix={feeUnit}
            error={wrong('fuel')}
          />
        )}
        <TextField
          label={t('collect.rule.fee')}
          hint={t('collect.rule.feeHint')}
          value={typed.fee}
          onChange={(fee) => set({ fee })}
          inputMode="decimal"
          suffix={feeUnit}
          error={wrong('fee')}
        />
        <TextField
          label={t('collect.rule.share')}
          hint={t('collect.rule.shareHint')}
          value={typed.share}
          onChange={(share) => set({ share })}
          inputMode="decimal"
          suffix={<span>%</span>}
          error={wrong('share')}
        />
        <TextField
          label={t('collect.rule.raise')}
          hint={t('collect.rule.raiseHint')}
          value={typed.raise}
          onChange={(raise) => set({ raise })}
          inputMode="numeric"
          suffix={<span>{t('collect.rule.minutes')}</span>}
          error={wrong('raise')}
        />
        <SelectField
          label={t('collect.rule.schedule')}
          value={typed.when}
          options={(['always', 'hourly', 'daily'] as const).map((value) => ({ value, label: t(`collect.rule.when.${value}`) }))}
          onChange={(when) => set({ when: when as RuleTyped['when'] })}
        />
        {typed.when === 'daily' && (
          <TextField
            label={t('collect.rule.time')}
            hint={t('collect.rule.timeHint')}
            value={typed.time}
            onChange={(time) => set({ time })}
            placeholder="02:30"
            error={wrong('time')}
          />
        )}
      </div>
      <Note tone="info" title={t('collect.rule.note')}>
        {t('collect.rule.noteText')}
      </Note>
      <div className="hf-row">
        <Link className="hf-button hf-button-default hf-button-middle" to={HOME}>
          {common('ui.confirm.cancel')}
        </Link>
        <Button variant="primary" type="submit" loading={save.isPending}>
          {t('collect.save')}
        </Button>
      </div>
    </form>
  )
}
