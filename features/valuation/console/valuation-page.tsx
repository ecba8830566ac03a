import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { OpenChange, Review } from '@holdfast/features/strategy/console'
import {
  Button,
  type Column,
  DataTable,
  type Drawers,
  EmptyState,
  ErrorState,
  LoadingState,
  Note,
  PageHeader,
  StatusTag,
  TextField,
  Time,
  type Tone,
  useDrawers,
  useNow,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkValuation, listValuation, saveValuation, type ValuationDraft } from '../contract.ts'
import { draftOf, type Entry, faultOfLine, keyOf, type Typed, typedOf, type Valuation, withMargin } from './valuation-draft.ts'

const TONES: Record<Entry['state'], Tone> = { valid: 'good', soon: 'warn', expired: 'bad', none: 'neutral' }
const idOf = requestIdKeeper()

/** What the policy takes its assets to be worth at most: rules in dollars count by it. */
export function ValuationPage() {
  const { t } = useTranslation('strategyEngine')
  const { data, error, refetch } = useEndpoint(listValuation, {})
  return (
    <>
      <PageHeader title={t('valuation.title')}>{t('valuation.lead')}</PageHeader>
      {data ? <Table key={data.base_version} table={data} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}
    </>
  )
}

const openReview = (drawers: Drawers, title: string, draft: ValuationDraft) =>
  void drawers.push({ title, body: <ReviewTable draft={draft} /> }, { width: 900, maskClosable: false })

function Table({ table }: { table: Valuation }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const now = useNow()
  const mayWrite = usePermission('strategy.write')
  const canEdit = mayWrite && table.open_change_id === null
  const [typed, setTyped] = useState<Readonly<Record<string, Typed>>>({})
  const [margin, setMargin] = useState('20')
  const [isTried, setTried] = useState(false)
  const of = (entry: Entry): Typed => typed[keyOf(entry)] ?? typedOf(entry)
  const set = (entry: Entry, changes: Partial<Typed>) => setTyped((present) => ({ ...present, [keyOf(entry)]: { ...of(entry), ...changes } }))
  const isChanged = Object.keys(typed).length > 0
  const fill = () => {
    const percent = Number(margin)
    const filled = table.entries.flatMap((entry) => {
      const usd = withMargin(entry.live, percent)
      return usd === undefined ? [] : [[keyOf(entry), { usd, days: '90' }] as const]
    })
    setTyped((present) => ({ ...present, ...Object.fromEntries(filled) }))
  }
  const review = () => {
    setTried(true)
    if (table.entries.every((entry) => faultOfLine(entry, of(entry)) === undefined)) openReview(drawers, t('valuation.review'), draftOf(table, of, now))
  }
  const columns: Column<Entry>[] = [
    {
      key: 'asset',
      title: t('valuation.asset'),
      render: ({ symbol, network }) => (
        <span className="hf-stack-tight">
          <strong>{symbol}</strong>
          <span className="hf-small hf-muted">{network}</span>
        </span>
      ),
    },
    {
      key: 'usd',
      title: t('valuation.usd'),
      render: (entry) => {
        if (!canEdit) return <span className="hf-numbers">{entry.usd ?? t('valuation.none')}</span>
        const fault = isTried && faultOfLine(entry, of(entry)) === 'usd'
        return (
          <TextField
            label={t('valuation.usdOf', { symbol: entry.symbol })}
            value={of(entry).usd}
            onChange={(usd) => set(entry, { usd })}
            inputMode="decimal"
            error={fault ? t('valuation.fault.usd') : undefined}
          />
        )
      },
    },
    {
      key: 'until',
      title: t('valuation.until'),
      render: (entry) => (
        <span className="hf-stack-tight">
          <StatusTag tone={TONES[entry.state]} text={t(`valuation.state.${entry.state}`)} />
          {entry.valid_until !== null && <Time ms={entry.valid_until} />}
        </span>
      ),
    },
    ...(canEdit
      ? [
          {
            key: 'days',
            title: t('valuation.days'),
            render: (entry: Entry) => (
              <TextField
                label={t('valuation.daysOf', { symbol: entry.symbol })}
                value={of(entry).days}
                onChange={(days) => set(entry, { days })}
                inputMode="numeric"
                error={isTried && faultOfLine(entry, of(entry)) === 'days' ? t('valuation.fault.days') : undefined}
              />
            ),
          },
        ]
      : []),
    {
      key: 'live',
      title: t('valuation.live'),
      wideOnly: true,
      render: ({ live, deviation }) => (
        <span className="hf-stack-tight hf-numbers">
          <span>{live ?? t('valuation.noPrice')}</span>
          {deviation !== null && (
            <span className="hf-small hf-muted">{t('valuation.deviation', { percent: deviation > 0 ? `+${deviation}` : deviation })}</span>
          )}
        </span>
      ),
    },
  ]
  return (
    <div className="hf-stack-wide">
      {table.open_change_id !== null && <OpenChange id={table.open_change_id} />}
      {!table.is_read && (
        <Note tone="info" title={t('valuation.unread')}>
          {t('valuation.unreadText')}
        </Note>
      )}
      {canEdit && (
        <div className="hf-row">
          <TextField label={t('valuation.margin')} value={margin} onChange={setMargin} inputMode="numeric" suffix={<span>%</span>} />
          <Button onClick={fill} disabled={!/^\d{1,3}$/.test(margin) || table.entries.every(({ live }) => live === null)}>
            {t('valuation.fill')}
          </Button>
          {isChanged && <Button onClick={() => setTyped({})}>{t('valuation.discard')}</Button>}
          <Button variant="primary" disabled={!isChanged} onClick={review}>
            {t('valuation.review')}
          </Button>
        </div>
      )}
      <DataTable label={t('valuation.title')} columns={columns} rows={table.entries} rowKey={keyOf} empty={<EmptyState title={t('valuation.noAssets')} />} />
    </div>
  )
}

/** What another table changes, in words; from here it is proposed. */
function ReviewTable({ draft }: { draft: ValuationDraft }) {
  const check = useSend(checkValuation)
  const propose = useSend(saveValuation)
  return (
    <Review check={check} ask={() => check.mutate({ draft })} propose={propose} send={(code) => propose.mutate({ request_id: idOf(draft), draft, ...code })} />
  )
}
