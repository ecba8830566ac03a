import { useSend } from '@holdfast/client'
import { CallError } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { usePermission, useSecondFactor } from '@holdfast/features/session/console'
import { Button, confirm, ErrorState, Note, REMARK_LIMIT, SelectField, TextField, useDrawers } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelBatch, submitBatch } from '../contract.ts'
import { batchTransferErrors } from '../errors.ts'
import { type Batch, BatchFacts } from './batch-state.tsx'
import { type Mode, ModeChoice } from './mode-choice.tsx'

/** Refusals that stand beside the button, with their reason. */
const SHOWN_HERE = [batchTransferErrors.batch_approve_error, batchTransferErrors.batch_by_contract_error]
const TIERS = ['economy', 'normal', 'fast'] as const

/** What a batch is, and what is to be done with it. */
export function BatchPanel({ batch }: { batch: Batch }) {
  return (
    <div className="hf-panel hf-stack">
      <BatchFacts batch={batch} />
      <SubmitForm batch={batch} />
    </div>
  )
}

/** What is to be done with a batch: it is put before people, decided there, or taken back. */
function SubmitForm({ batch }: { batch: Batch }) {
  const mayAsk = usePermission('batch.create')
  if (batch.state === 'checked') return mayAsk ? <Ask batch={batch} /> : null
  return <Follow batch={batch} mayStop={mayAsk} />
}

function Ask({ batch }: { batch: Batch }) {
  const { t } = useTranslation('tools')
  const second = useSecondFactor()
  const [execution, setExecution] = useState<'strict' | 'partial'>(batch.wrong > 0 ? 'partial' : 'strict')
  const [mode, setMode] = useState<Mode>('single')
  const [tier, setTier] = useState<(typeof TIERS)[number]>('normal')
  const [remark, setRemark] = useState('')
  const submit = useSend(submitBatch, { shows: (error) => !(error instanceof CallError && SHOWN_HERE.some((each) => error.is(each))) })
  const fees = mode === 'contract' ? (batch.by_contract?.fees ?? null) : batch.fees
  const good = batch.lines - batch.wrong
  const isReady = fees !== null && good > 0 && (execution === 'partial' || batch.wrong === 0) && second.isReady
  const send = () => submit.mutate({ batch_id: batch.batch_id, mode, execution, fee_tier: tier, remark, ...second.given })
  return (
    <div className="hf-stack">
      <div className="hf-batch-head">
        <SelectField
          label={t('batch.execution.label')}
          value={execution}
          onChange={(value) => setExecution(value === 'strict' ? 'strict' : 'partial')}
          options={(['strict', 'partial'] as const).map((value) => ({ value, label: t(`batch.execution.${value}`) }))}
        />
        <SelectField
          label={t('batch.fee.label')}
          value={tier}
          onChange={(value) => setTier(TIERS.find((each) => each === value) ?? 'normal')}
          options={TIERS.map((value) => ({ value, label: t(`batch.fee.${value}`) }))}
        />
      </div>
      {batch.by_contract && <ModeChoice batch={batch} byContract={batch.by_contract} tier={tier} mode={mode} onChoose={setMode} />}
      {fees ? <Fees batch={batch} tier={tier} fees={fees} /> : <Note tone="warn">{t(unpricedReason(batch, mode, good))}</Note>}
      <TextField label={t('batch.remark')} value={remark} onChange={setRemark} rows={2} count={REMARK_LIMIT} />
      {second.field}
      {submit.error !== null && <ErrorState error={submit.error} />}
      <div className="hf-row">
        <Button variant="primary" disabled={!isReady} loading={submit.isPending} onClick={send}>
          {t('batch.submit', { count: good })}
        </Button>
        {execution === 'strict' && batch.wrong > 0 && <span className="hf-small hf-muted">{t('batch.strictNote', { count: batch.wrong })}</span>}
      </div>
    </div>
  )
}

/** Why nothing says what it would cost. */
function unpricedReason({ by_contract: byContract }: Batch, mode: Mode, good: number) {
  if (good === 0) return 'batch.noneGood'
  return mode === 'contract' && byContract && byContract.readiness !== 'ready' ? (`batch.mode.${byContract.readiness}` as const) : 'batch.noFee'
}

function Fees({ batch, tier, fees }: { batch: Batch; tier: string; fees: NonNullable<Batch['fees']> }) {
  const { t } = useTranslation('tools')
  const chosen = fees.tiers.find((each) => each.tier === tier)
  return (
    <p className="hf-muted">
      {t('batch.fees', {
        count: fees.transactions,
        cap: chosen?.cap ?? '--',
        total: chosen?.total ?? '--',
        symbol: batch.fee_symbol,
        available: batch.fee_available,
      })}
    </p>
  )
}

function Follow({ batch, mayStop }: { batch: Batch; mayStop: boolean }) {
  const { t } = useTranslation('tools')
  const drawers = useDrawers()
  const cancel = useSend(cancelBatch)
  const isOpen = batch.state === 'approving' || batch.state === 'approved'
  const stop = async () => {
    const answer = await confirm(drawers, { type: 'warning', title: t('batch.stop.title'), content: t('batch.stop.text'), remark: true })
    if (answer.outcome === 'confirm') cancel.mutate({ batch_id: batch.batch_id, remark: answer.remark })
  }
  if (!isOpen) return null
  return (
    <div className="hf-row">
      {batch.approval_url !== null && (
        <ApprovalLink variant="primary" href={batch.approval_url} label={t('batch.toApproval')}>
          {t('batch.toApproval')}
        </ApprovalLink>
      )}
      {mayStop && (
        <Button variant="danger" loading={cancel.isPending} onClick={() => void stop()}>
          {t('batch.stop.button')}
        </Button>
      )}
    </div>
  )
}
