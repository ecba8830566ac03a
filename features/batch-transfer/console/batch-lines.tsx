import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Address, Amount, Button, Checkbox, type Column, DataTable, EmptyState, FilterPicker, Label, StatusTag, type Tone } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { listBatchRows, retryBatch } from '../contract.ts'
import { lineState, type LineState } from '../shapes-contract.ts'

type Line = OutputOf<typeof listBatchRows>['list'][number]
type Shown = LineState | 'flagged'

const PAGE_SIZE = 50
const TONES: Record<LineState, Tone> = { pending: 'neutral', processing: 'active', completed: 'good', failed: 'bad', not_executed: 'warn' }

type BatchLinesProps = { batchId: string; symbol: string; isAsked: boolean }

/** The lines of a batch: what is wrong with each or to look at, what became of it, and which are to be asked for again. */
export function BatchLines({ batchId, symbol, isAsked }: BatchLinesProps) {
  const { t } = useTranslation('tools')
  const [page, setPage] = useState(1)
  const [state, setState] = useState<Shown>()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const mayAsk = usePermission('batch.create')
  const navigate = useNavigate()
  const retry = useSend(retryBatch)
  const { data, error, refetch } = useEndpoint(
    listBatchRows,
    { batch_id: batchId, page_no: page, page_size: PAGE_SIZE, ...(state && { state }) },
    { keepLast: true },
  )
  const choose = (line: number, isOn: boolean) => setChosen((before) => new Set(isOn ? [...before, line] : [...before].filter((each) => each !== line)))
  const again = () =>
    retry.mutate({ batch_id: batchId, lines: [...chosen] }, { onSuccess: ({ batch_id: id }) => void navigate(`/mpc/tools/batchTransfer?batch=${id}`) })
  const retryable = data?.list.filter((each) => each.can_retry) ?? []
  // Of a file that was only read, a line is wrong or can be paid.
  const options = isAsked
    ? (['flagged', ...lineState.options] as const).map((value) => ({ value, label: t(`batch.show.${value}`) }))
    : ([
        { value: 'not_executed', label: t('batch.show.wrong') },
        { value: 'flagged', label: t('batch.show.flagged') },
        { value: 'pending', label: t('batch.show.payable') },
      ] as const)
  return (
    <DataTable
      name="batch-lines"
      label={t('batch.lines')}
      columns={useColumns({ symbol, isAsked, chosen, onChoose: mayAsk && retryable.length > 0 ? choose : undefined })}
      rows={data?.list}
      rowKey={({ line }) => String(line)}
      error={error}
      onRetry={() => void refetch()}
      tools={
        <>
          <FilterPicker
            label={t('batch.show.label')}
            value={state}
            options={options}
            onChange={(next) => {
              setState(next)
              setPage(1)
            }}
          />
          {mayAsk && chosen.size > 0 && (
            <Button variant="primary" loading={retry.isPending} onClick={again}>
              {t('batch.retry', { count: chosen.size })}
            </Button>
          )}
        </>
      }
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      empty={<EmptyState title={t('batch.noLines')} />}
    />
  )
}

type Columns = Pick<BatchLinesProps, 'symbol' | 'isAsked'> & { chosen: ReadonlySet<number>; onChoose: ((line: number, isOn: boolean) => void) | undefined }

function useColumns({ symbol, isAsked, chosen, onChoose }: Columns): Column<Line>[] {
  const { t } = useTranslation('tools')
  return [
    {
      key: 'line',
      title: t('batch.column.line'),
      render: ({ line, can_retry: canRetry }) =>
        onChoose && canRetry ? (
          <Checkbox checked={chosen.has(line)} onChange={(isOn) => onChoose(line, isOn)}>
            {String(line)}
          </Checkbox>
        ) : (
          <span className="hf-numbers">{line}</span>
        ),
    },
    { key: 'address', title: t('batch.column.address'), render: ({ address }) => (address === '' ? '--' : <Address address={address} />) },
    { key: 'amount', title: t('batch.column.amount'), align: 'end', render: (each) => <AmountOf line={each} symbol={symbol} /> },
    { key: 'memo', title: t('batch.column.memo'), wideOnly: true, render: ({ memo }) => (memo === null ? '--' : <Label text={memo} wrap />) },
    { key: 'found', title: t('batch.column.found'), render: (each) => <Found line={each} /> },
    ...(isAsked ? [{ key: 'state', title: t('batch.column.state'), render: (each: Line) => <StateOf line={each} /> }] : []),
  ]
}

/** An amount that is none is shown as it was written. */
function AmountOf({ line: { amount, errors }, symbol }: { line: Line; symbol: string }) {
  if (errors.length === 0) return <Amount value={amount} unit={symbol} />
  return amount === '' ? '--' : <Label text={amount} />
}

function Found({ line: { errors, warnings } }: { line: Line }) {
  if (errors.length + warnings.length === 0) return <span className="hf-faint">--</span>
  return (
    <span className="hf-batch-found hf-small">
      {errors.map(({ msg }) => (
        <span key={msg} className="hf-batch-found-bad">
          {msg}
        </span>
      ))}
      {warnings.map(({ kind, msg }) => (
        <span key={kind} className="hf-batch-found-warn">
          {msg}
        </span>
      ))}
    </span>
  )
}

function StateOf({ line: { state, order_id: orderId, retried_in: retried } }: { line: Line }) {
  const { t } = useTranslation('tools')
  return (
    <span className="hf-batch-state">
      <StatusTag tone={TONES[state]} text={t(`batch.line.${state}`)} />
      {orderId !== null && <Link to={`/mpc/center/wallet/transactions?wallets=all&order=${orderId}&kind=withdraw`}>{t('batch.payment')}</Link>}
      {retried !== null && <Link to={`/mpc/tools/batchTransfer/transferRecord?batch=${retried}`}>{t('batch.retried')}</Link>}
    </span>
  )
}
