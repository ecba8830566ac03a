import { useEndpoint, useSend } from '@holdfast/client'
import { useUserInfo } from '@holdfast/features/session/console'
import { listAllSubWallets, listWallets } from '@holdfast/features/wallet/contract'
import { Button, DrawerBody, DrawerFooter, ErrorState, LoadingState, PickField, SelectField, TextField, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FALLBACKS, saveAgent } from '../../agent-contract.ts'
import type { Agent } from './agent-page.tsx'

const COIN = /^(0|[1-9]\d{0,17})(\.\d{1,6})?$/

/** Sets who lends energy, and what is done where nothing can be lent. */
export function SettingsDrawer({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const needsCode = useUserInfo().data?.google_bind === true
  const save = useSend(saveAgent)
  const [wallet, setWallet] = useState(agent.auth_wallet_id ?? '')
  const [subWallet, setSubWallet] = useState(agent.auth_sub_wallet_id ?? '')
  const [fallback, setFallback] = useState<string>(agent.fallback)
  const [budget, setBudget] = useState(agent.budget_day)
  const [most, setMost] = useState(agent.max_trx)
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const wallets = useEndpoint(listWallets, {})
  const subWallets = useEndpoint(listAllSubWallets, { wallet_id: wallet }, { enabled: wallet !== '' })
  const active = wallets.data ? [...wallets.data.top_wallet, ...wallets.data.wallet_list].filter(({ state }) => state === 'active') : []
  const wrong = (text: string) => (isTried && !COIN.test(text) ? t('tronTools.form.decimal') : undefined)
  const send = async () => {
    setTried(true)
    const chosen = FALLBACKS.find((each) => each === fallback)
    if (subWallet === '' || !chosen || !COIN.test(budget) || !COIN.test(most) || (needsCode && !/^\d{6}$/.test(code))) return
    const asked = { auth_sub_wallet_id: subWallet, fallback: chosen, budget_day: budget, max_trx: most, ...(needsCode && { google_code: code }) }
    const isSaved = await save.mutateAsync(asked).then(
      () => true,
      () => false,
    )
    if (isSaved) close()
  }
  const error = wallets.error ?? subWallets.error
  return (
    <form
      className="hf-drawer-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <DrawerBody>
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
        {needsCode && (
          <TextField label={t('tronAgent.settings.code')} value={code} onChange={setCode} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" loading={save.isPending} disabled={subWallet === ''}>
          {t('tronTools.form.save')}
        </Button>
      </DrawerFooter>
    </form>
  )
}
