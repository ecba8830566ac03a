import { useEndpoint, useSend } from '@holdfast/client'
import { useSecondFactor } from '@holdfast/features/session/console'
import { listAllSubWallets, listWallets } from '@holdfast/features/wallet/contract'
import { Checkbox, DrawerForm, ErrorState, LoadingState, ManyPicker, PickField, SelectField, TextField, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FALLBACKS, listAgentAccounts, saveAgent } from '../../agent-contract.ts'
import type { Agent } from './agent-page.tsx'

const COIN = /^(0|[1-9]\d{0,17})(\.\d{1,6})?$/

type RentTyped = { isOn: boolean; payer: string; most: string; budget: string }

const rentOf = ({ rent }: Agent): RentTyped => ({ isOn: rent.enabled, payer: rent.payer?.sub_wallet_id ?? '', most: rent.max_trx, budget: rent.budget_day })

const askedOf = ({ isOn, payer, most, budget }: RentTyped) => ({
  rents: isOn,
  ...(payer !== '' && { payer_sub_wallet_id: payer }),
  rent_max_trx: most,
  rent_budget_day: budget,
})

/** Own sub-wallets with an address on the network, each once. */
function useOwnSubWallets() {
  const { data } = useEndpoint(listAgentAccounts, { page_no: 1, page_size: 100 })
  const named = (data?.list ?? []).map((each) => [each.sub_wallet_id, `${each.wallet_name} / ${each.sub_wallet_name}`] as const)
  return [...new Map(named)].map(([value, label]) => ({ value, label }))
}

type FurtherProps = { first: string; values: readonly string[]; onChange(values: readonly string[]): void }

/** Who is asked to lend where the first cannot, in the sequence in which they are chosen. */
function FurtherLenders({ first, values, onChange }: FurtherProps) {
  const { t } = useTranslation('tools')
  const own = useOwnSubWallets()
  const nameOf = (id: string) => own.find(({ value }) => value === id)?.label ?? id
  return (
    <div className="hf-stack-tight">
      <strong>{t('tronAgent.settings.further')}</strong>
      <div>
        <ManyPicker
          label={t('tronAgent.settings.furtherNone')}
          options={own.filter(({ value }) => value !== first)}
          values={[...values]}
          onChange={(chosen) => onChange(chosen.slice(0, 8))}
        />
      </div>
      {values.length > 1 && <p className="hf-small">{values.map((each, i) => `${i + 2}. ${nameOf(each)}`).join(', ')}</p>}
      <p className="hf-small hf-muted">{t('tronAgent.settings.furtherHint')}</p>
    </div>
  )
}

type RentProps = { agent: Agent; typed: RentTyped; isTried: boolean; onChange(typed: RentTyped): void }

/** Whether energy is rented where nobody lends, who pays for it, and how much. */
function RentFields({ agent, typed, isTried, onChange }: RentProps) {
  const { t } = useTranslation('tools')
  const own = useOwnSubWallets()
  const wrong = (text: string) => (isTried && !COIN.test(text) ? t('tronTools.form.decimal') : undefined)
  return (
    <>
      <Checkbox checked={typed.isOn} onChange={(isOn) => onChange({ ...typed, isOn })}>
        {t('tronAgent.rent.on')}
      </Checkbox>
      {!typed.isOn && <p className="hf-small hf-muted">{t('tronAgent.rent.onHint')}</p>}
      {typed.isOn && (
        <>
          <PickField
            label={t('tronAgent.rent.payer')}
            value={typed.payer || undefined}
            hint={t('tronAgent.rent.payerHint')}
            error={isTried && typed.payer === '' ? t('tronAgent.rent.payerMissing') : undefined}
            options={own}
            onChange={(payer) => onChange({ ...typed, payer })}
          />
          <TextField
            label={t('tronAgent.rent.most')}
            value={typed.most}
            onChange={(most) => onChange({ ...typed, most })}
            inputMode="decimal"
            error={wrong(typed.most)}
            suffix={<span>{agent.symbol}</span>}
          />
          <TextField
            label={t('tronAgent.rent.budget')}
            value={typed.budget}
            onChange={(budget) => onChange({ ...typed, budget })}
            inputMode="decimal"
            error={wrong(typed.budget)}
            suffix={<span>{agent.symbol}</span>}
          />
        </>
      )}
    </>
  )
}

/** Sets who lends energy, whether it is rented, and what is done where neither can be. */
export function SettingsDrawer({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const save = useSend(saveAgent)
  const [wallet, setWallet] = useState(agent.auth_wallet_id ?? '')
  const [subWallet, setSubWallet] = useState(agent.auth_sub_wallet_id ?? '')
  const [fallback, setFallback] = useState<string>(agent.fallback)
  const [budget, setBudget] = useState(agent.budget_day)
  const [most, setMost] = useState(agent.max_trx)
  const [rent, setRent] = useState<RentTyped>(rentOf(agent))
  const [further, setFurther] = useState<readonly string[]>(agent.lenders.slice(1).map((each) => each.sub_wallet_id))
  const [isTried, setTried] = useState(false)
  const wallets = useEndpoint(listWallets, {})
  const subWallets = useEndpoint(listAllSubWallets, { wallet_id: wallet }, { enabled: wallet !== '' })
  const active = wallets.data ? [...wallets.data.top_wallet, ...wallets.data.wallet_list].filter(({ state }) => state === 'active') : []
  const wrong = (text: string) => (isTried && !COIN.test(text) ? t('tronTools.form.decimal') : undefined)
  const send = async () => {
    setTried(true)
    second.check()
    const chosen = FALLBACKS.find((each) => each === fallback)
    // What is not shown stays as it was.
    const rented = rent.isOn ? rent : { ...rentOf(agent), isOn: false }
    const isRentRight = !rent.isOn || (COIN.test(rent.most) && COIN.test(rent.budget) && rent.payer !== '')
    if (subWallet === '' || !chosen || !isRentRight || !COIN.test(budget) || !COIN.test(most) || !second.isReady) return
    const asked = {
      auth_sub_wallet_id: subWallet,
      fallback: chosen,
      budget_day: budget,
      max_trx: most,
      ...(further.length > 0 && { further_lenders: [...further] }),
      ...askedOf(rented),
      ...second.given,
    }
    const isSaved = await save.mutateAsync(asked).then(
      () => true,
      () => false,
    )
    if (isSaved) close()
  }
  const error = wallets.error ?? subWallets.error
  return (
    <DrawerForm send={t('tronTools.form.save')} isSending={save.isPending} isShut={subWallet === ''} onSend={() => void send()}>
      <p className="hf-muted">{t('tronAgent.settings.lead')}</p>
      {error && <ErrorState error={error} />}
      {!wallets.data && !error && <LoadingState rows={2} />}
      <PickField
        label={t('tronAgent.settings.wallet')}
        value={wallet || undefined}
        options={active.map(({ wallet_id: value, wallet_name: label }) => ({ value, label }))}
        onChange={(id) => {
          setWallet(id)
          setSubWallet('')
        }}
      />
      <PickField
        label={t('tronAgent.settings.subWallet')}
        value={subWallet || undefined}
        hint={t('tronAgent.settings.subWalletHint')}
        options={(subWallets.data ?? []).map(({ sub_wallet_id: value, sub_wallet_name: label }) => ({ value, label }))}
        onChange={setSubWallet}
      />
      <FurtherLenders first={subWallet} values={further} onChange={setFurther} />
      <RentFields agent={agent} typed={rent} isTried={isTried} onChange={setRent} />
      <SelectField
        label={t('tronAgent.terms.fallback')}
        value={fallback}
        options={FALLBACKS.map((value) => ({ value, label: t(`tronAgent.fallback.${value}`) }))}
        onChange={setFallback}
      />
      <TextField
        label={t('tronAgent.terms.most')}
        value={most}
        onChange={setMost}
        inputMode="decimal"
        error={wrong(most)}
        suffix={<span>{agent.symbol}</span>}
      />
      <TextField
        label={t('tronAgent.terms.budget')}
        value={budget}
        onChange={setBudget}
        inputMode="decimal"
        hint={t('tronAgent.settings.boundsHint')}
        error={wrong(budget)}
        suffix={<span>{agent.symbol}</span>}
      />
      {second.field}
    </DrawerForm>
  )
}
