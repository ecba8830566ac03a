import { useApi, useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import {
  Amount,
  Button,
  type Column,
  confirm,
  DataTable,
  downloadFile,
  EmptyState,
  lazyDrawerBody,
  RelativeTime,
  StatusTag,
  TextFilter,
  useDrawers,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { exportCollecting, listCollectingRules, operateCollectingRules, removeCollectingRules } from '../contract.ts'

const ImportDrawer = lazyDrawerBody(() => import('./import-drawer.tsx').then((module) => module.ImportDrawer))

type Rule = OutputOf<typeof listCollectingRules>['list'][number]

const PAGE_SIZE = 20
export const EDIT = '/mpc/coSigner/consolidationEdit'
/** The page of the rule of a coin. */
export const editPath = ({ chain, symbol }: { chain: string; symbol: string }): string => `${EDIT}?${new URLSearchParams({ chain, symbol })}`

/** The rule of each coin. */
export function RuleList({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const drawers = useDrawers()
  const { client } = useApi()
  const mayWrite = usePermission('co_signer.write')
  const [page, setPage] = useState(1)
  const [keyword, setKeyword] = useState('')
  const asked = { wallet_id: walletId, page_no: page, page_size: PAGE_SIZE, ...(keyword !== '' && { keyword }) }
  const { data, error, refetch } = useEndpoint(listCollectingRules, asked, { keepLast: true })
  const operate = useSend(operateCollectingRules)
  const remove = useSend(removeCollectingRules)
  const coinOf = ({ chain, symbol }: Rule) => ({ wallet_id: walletId, symbols: [{ chain, symbol }] })
  const drop = async (rule: Rule) => {
    const { outcome } = await confirm(drawers, {
      type: 'remove',
      title: t('collect.rule.remove', rule),
      content: t('collect.rule.removeText'),
      confirmText: t('collect.rule.removeDo'),
    })
    if (outcome === 'confirm') remove.mutate(coinOf(rule))
  }
  const save = async () => {
    const { file_name: name, content } = await client.call(exportCollecting, { wallet_id: walletId })
    downloadFile(name, new TextEncoder().encode(content))
  }
  const columns: Column<Rule>[] = [
    {
      key: 'coin',
      title: t('collect.rule.coin'),
      render: ({ symbol, network }) => (
        <span className="hf-stack-tight">
          <strong>{symbol}</strong>
          <span className="hf-small hf-muted">{network}</span>
        </span>
      ),
    },
    {
      key: 'min',
      title: t('collect.rule.min'),
      align: 'end',
      render: ({ collect_min: min, single_min: single, symbol }) => (
        <span className="hf-stack-tight">
          <Amount value={min} unit={symbol} />
          {single !== null && <span className="hf-small hf-muted">{t('collect.rule.orSingle', { amount: `${single} ${symbol}` })}</span>}
        </span>
      ),
    },
    {
      key: 'fuel',
      title: t('collect.rule.fuel'),
      align: 'end',
      wideOnly: true,
      render: ({ fueling_limit: limit, fee_symbol: unit }) => <Amount value={limit} unit={unit} />,
    },
    {
      key: 'fee',
      title: t('collect.rule.fee'),
      align: 'end',
      wideOnly: true,
      render: ({ max_fee: max, max_fee_pct: percent, fee_symbol: unit }) => (
        <span className="hf-stack-tight">
          <Amount value={max} unit={unit} />
          <span className="hf-small hf-muted">{t('collect.rule.ofAmount', { percent })}</span>
        </span>
      ),
    },
    {
      key: 'schedule',
      title: t('collect.rule.schedule'),
      wideOnly: true,
      render: ({ schedule, next_at: next }) => (
        <span className="hf-stack-tight">
          <span>
            {schedule === '' ? t('collect.rule.always') : schedule === 'hourly' ? t('collect.rule.hourly') : t('collect.rule.daily', { time: schedule })}
          </span>
          {next !== null && (
            <span className="hf-small hf-muted">
              <RelativeTime ms={next} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('collect.rule.state'),
      render: ({ enabled, approved }) => (
        <StatusTag
          tone={!enabled ? 'neutral' : approved ? 'good' : 'warn'}
          text={t(!enabled ? 'collect.rule.off' : approved ? 'collect.rule.on' : 'collect.rule.unapproved')}
        />
      ),
    },
    ...(mayWrite
      ? [
          {
            key: 'do',
            title: t('collect.rule.do'),
            hidesTitle: true,
            align: 'end' as const,
            render: (rule: Rule) => (
              <span className="hf-row hf-row-end">
                <Link className="hf-button hf-button-default hf-button-small" to={editPath(rule)}>
                  {t('collect.rule.edit')}
                </Link>
                <Button size="small" onClick={() => operate.mutate({ ...coinOf(rule), op: rule.enabled ? 'off' : 'on' })}>
                  {t(rule.enabled ? 'collect.rule.switchOff' : 'collect.rule.switchOn')}
                </Button>
                <Button size="small" onClick={() => void drop(rule)}>
                  {t('collect.rule.removeDo')}
                </Button>
              </span>
            ),
          },
        ]
      : []),
  ]
  return (
    <DataTable
      label={t('collect.tab.coins')}
      columns={columns}
      rows={data?.list}
      rowKey={({ chain, symbol }) => `${chain} ${symbol}`}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('collect.rule.none')}>{t('collect.rule.noneText')}</EmptyState>}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      tools={
        <div className="hf-row">
          <TextFilter label={t('collect.rule.search')} value={keyword} onChange={setKeyword} search />
          {mayWrite && (
            <>
              <Link className="hf-button hf-button-primary hf-button-small" to={EDIT}>
                {t('collect.rule.add')}
              </Link>
              <Button
                size="small"
                onClick={() => void drawers.push({ title: t('collect.import.title'), body: <ImportDrawer walletId={walletId} /> }, { width: 900 })}
              >
                {t('collect.import.open')}
              </Button>
            </>
          )}
          <Button size="small" disabled={!data || data.pageTotal === 0} onClick={() => void save()}>
            {t('collect.export')}
          </Button>
        </div>
      }
    />
  )
}
