import type { OutputOf } from '@holdfast/contract'
import { type Fact, Facts, Amount, Label, Note, StatusTag, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { getBatch } from '../contract.ts'
import { lineState, type BatchState } from '../shapes-contract.ts'

export type Batch = OutputOf<typeof getBatch>

const TONES: Record<BatchState, Tone> = {
  checked: 'neutral',
  approving: 'warn',
  approved: 'active',
  stopped: 'bad',
  finished: 'good',
  rejected: 'bad',
  cancelled: 'neutral',
  expired: 'neutral',
  superseded: 'neutral',
}

/** The state of a batch in words. */
export function BatchTag({ state }: { state: BatchState }) {
  const { t } = useTranslation('tools')
  return <StatusTag tone={TONES[state]} text={t(`batch.state.${state}`)} />
}

/** What a batch is, what it pays, and how far it is. */
export function BatchFacts({ batch }: { batch: Batch }) {
  const { t } = useTranslation('tools')
  const { counts } = batch
  const isAsked = batch.state !== 'checked'
  const progress = lineState.options.filter((each) => (counts[each] ?? 0) > 0).map((each) => `${t(`batch.line.${each}`)} ${counts[each]}`)
  const facts: (Fact | undefined)[] = [
    isAsked ? { label: t('batch.column.state'), value: <BatchTag state={batch.state} /> } : undefined,
    { label: t('batch.file'), value: <Label text={batch.file_name} wrap /> },
    { label: t('batch.from'), value: <Label text={`${batch.wallet_name} / ${batch.sub_wallet_name} · ${batch.network}`} wrap /> },
    { label: t('batch.total'), value: <Amount value={batch.total} unit={batch.symbol} /> },
    isAsked ? { label: t('batch.paid'), value: <Amount value={batch.paid} unit={batch.symbol} /> } : undefined,
    isAsked ? { label: t('batch.feePaid'), value: <Amount value={batch.fee_paid} unit={batch.fee_symbol} /> } : undefined,
    isAsked ? undefined : { label: t('batch.available'), value: <Amount value={batch.available} unit={batch.symbol} /> },
    isAsked
      ? { label: t('batch.progress'), value: progress.join(' · ') }
      : { label: t('batch.lines'), value: t('batch.linesOf', { all: batch.lines, wrong: batch.wrong }) },
    batch.remark === '' ? undefined : { label: t('batch.remark'), value: <Label text={batch.remark} wrap /> },
  ]
  return (
    <div className="hf-stack">
      <Facts facts={facts} columns={2} />
      {batch.reason !== null && <Note tone="warn">{batch.reason}</Note>}
      {batch.waits_for !== null && <Note tone="warn">{t(`batch.waits.${batch.waits_for}`, { defaultValue: t('batch.waits.failed') })}</Note>}
    </div>
  )
}
