import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { CallError } from '@holdfast/contract'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { DrawerForm, ErrorState, Note, PickField, TextField, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createDelegation, listAgentAccounts } from '../../agent-contract.ts'
import type { Agent } from './agent-page.tsx'

const UNITS_MAX = 10_000_000
const idOf = requestIdKeeper()
const { tron_no_data, tron_insufficient_fee, tron_duplicate_request } = resourceErrors
const SAID_HERE = [tron_no_data, tron_insufficient_fee, tron_duplicate_request].map(({ code }) => code)

/** Has energy lent to an own address for an hour. */
export function LendDrawer({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const { close } = useDrawerPage()
  const lend = useSend(createDelegation)
  const accounts = useEndpoint(listAgentAccounts, { page_no: 1, page_size: 100 })
  const [address, setAddress] = useState('')
  const [energy, setEnergy] = useState('65000')
  const units = energy.trim()
  const isWhole = /^[1-9]\d{0,7}$/.test(units) && Number(units) <= UNITS_MAX
  const isRight = address !== '' && isWhole
  const send = async () => {
    if (!isRight) return
    const asked = { resource_type: 'energy' as const, energy_num: Number(units), address_from: address }
    const isDone = await lend.mutateAsync({ request_id: idOf(asked), ...asked }).then(
      () => true,
      () => false,
    )
    if (isDone) close()
  }
  return (
    <DrawerForm send={t('tronAgent.lend.send')} isSending={lend.isPending} isShut={!isRight} onSend={() => void send()}>
      <p className="hf-muted">{t('tronAgent.lend.lead')}</p>
      {lend.error instanceof CallError && SAID_HERE.includes(lend.error.code) && <Note tone="bad">{lend.error.message}</Note>}
      {accounts.error && <ErrorState error={accounts.error} />}
      <PickField
        label={t('tronAgent.lend.to')}
        value={address || undefined}
        options={(accounts.data?.list ?? [])
          .filter((each) => each.address !== agent.auth_address)
          .map((each) => ({ value: each.address, label: `${each.wallet_name} / ${each.sub_wallet_name}`, detail: each.address }))}
        onChange={setAddress}
      />
      <TextField
        label={t('tronAgent.lend.units')}
        value={energy}
        onChange={setEnergy}
        inputMode="numeric"
        hint={t('tronAgent.lend.unitsHint')}
        error={units === '' || isWhole ? undefined : t('tronTools.form.whole')}
      />
    </DrawerForm>
  )
}
