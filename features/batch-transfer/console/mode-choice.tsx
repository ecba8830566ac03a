import { requestIdKeeper, useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { createBatchAllowance } from '@holdfast/features/contract-call/contract'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Address, Button, ErrorState, Note, SelectField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BatchMode as Mode } from '../shapes-contract.ts'
import type { Batch } from './batch-state.tsx'

export type { Mode }

type ByContract = NonNullable<Batch['by_contract']>
const MODES = ['single', 'contract'] as const

type Choosing = { batch: Batch; byContract: ByContract; tier: string; mode: Mode; onChoose(mode: Mode): void }

/** Whether each line has a transaction of its own, or a contract pays many by one: what both cost, and what the contract still lacks. */
export function ModeChoice({ batch, byContract, tier, mode, onChoose }: Choosing) {
  const { t } = useTranslation('tools')
  const labelOf = (each: Mode) => {
    const fees = each === 'contract' ? byContract.fees : batch.fees
    const total = fees?.tiers.find((priced) => priced.tier === tier)?.total
    const name = t(`batch.mode.${each}`)
    return fees && total !== undefined ? t('batch.mode.priced', { name, count: fees.transactions, total, symbol: batch.fee_symbol }) : name
  }
  const isLacking = byContract.readiness === 'not_deployed' || byContract.readiness === 'allowance_low'
  return (
    <div className="hf-stack-tight">
      <SelectField
        label={t('batch.mode.label')}
        value={mode}
        onChange={(value) => onChoose(MODES.find((each) => each === value) ?? 'single')}
        options={MODES.map((value) => ({ value, label: labelOf(value) }))}
      />
      {mode === 'contract' && (
        <>
          <p className="hf-small hf-muted">
            {t('batch.mode.about')} <Address address={byContract.address} />
          </p>
          {isLacking && <Prepare batch={batch} />}
        </>
      )}
    </div>
  )
}

/** Asks for what the contract lacks: that it stands, and of a token that it may take exactly what the batch pays. */
function Prepare({ batch }: { batch: Batch }) {
  const { t } = useTranslation('tools')
  const second = useSecondFactor()
  const [requestIdOf] = useState(() => requestIdKeeper())
  const ask = useSend(createBatchAllowance)
  const asked = ask.data
  if (asked)
    return (
      <Note>
        {t(`batch.mode.asked.${asked.does}`)}{' '}
        <ApprovalLink href={asked.approval_url} label={t('batch.toApproval')}>
          {t('batch.toApproval')}
        </ApprovalLink>
      </Note>
    )
  const send = () => {
    const wanted = { sub_wallet_id: batch.sub_wallet_id, chain: batch.chain, symbol: batch.symbol, amount: batch.total }
    ask.mutate({ request_id: requestIdOf(wanted), ...wanted, ...second.given })
  }
  const isDeployment = batch.by_contract?.readiness === 'not_deployed'
  return (
    <div className="hf-stack-tight">
      {second.field}
      {ask.error !== null && <ErrorState error={ask.error} />}
      <div className="hf-row">
        <Button disabled={!second.isReady} loading={ask.isPending} onClick={send}>
          {isDeployment ? t('batch.mode.deploy') : t('batch.mode.allow', { amount: batch.total, symbol: batch.symbol })}
        </Button>
      </div>
    </div>
  )
}
