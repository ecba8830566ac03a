import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import {
  Amount,
  Button,
  type Column,
  DataTable,
  DrawerBody,
  DrawerFooter,
  EmptyState,
  Note,
  SelectField,
  StatusTag,
  TextField,
  useDrawerPage,
  useDrawers,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listCollectorTokens, removeCollectorTokens, saveCollectorTokens } from '../contract.ts'
import { type Collector, OfCollector } from './of-collector.tsx'

type Token = OutputOf<typeof listCollectorTokens>['list'][number]

const isAmount = (text: string) => /^(0|[1-9]\d{0,30})(\.\d{1,18})?$/.test(text) && /[1-9]/.test(text)

/** Which tokens a collector takes, and from how much on. */
export function TokensPage() {
  const { t } = useTranslation('collection')
  return (
    <OfCollector title={t('collector.token.title')} lead={t('collector.token.lead')}>
      {(of) => <Tokens of={of} />}
    </OfCollector>
  )
}

function Tokens({ of }: { of: Collector }) {
  const { t } = useTranslation('collection')
  const drawers = useDrawers()
  const mayWrite = usePermission('collection.write')
  const { data, error, refetch } = useEndpoint(listCollectorTokens, { id: of.id })
  const open = (token: Token) => void drawers.push({ title: token.symbol, body: <TokenDrawer of={of} token={token} /> }, { maskClosable: false })
  const columns: Column<Token>[] = [
    { key: 'symbol', title: t('collector.token.symbol'), render: ({ symbol }) => symbol },
    {
      key: 'state',
      title: t('collector.statusTitle'),
      render: ({ enabled, conflict, threshold }) => {
        const state = conflict ? 'conflict' : enabled ? 'on' : threshold === null ? 'none' : 'off'
        return <StatusTag tone={conflict ? 'bad' : enabled ? 'good' : 'neutral'} text={t(`collector.token.state.${state}`)} />
      },
    },
    { key: 'threshold', title: t('collector.token.threshold'), align: 'end', render: ({ threshold, symbol }) => <Amount value={threshold} unit={symbol} /> },
    { key: 'most', title: t('collector.token.most'), align: 'end', wideOnly: true, render: ({ most, symbol }) => <Amount value={most} unit={symbol} /> },
  ]
  return (
    <div className="hf-stack-wide">
      {data?.list.some(({ conflict }) => conflict) && (
        <Note tone="warn" title={t('collector.token.conflict')}>
          {t('collector.token.conflictText')}
        </Note>
      )}
      <DataTable
        label={t('collector.token.title')}
        columns={columns}
        rows={data?.list}
        rowKey={({ contract_address: address }) => address}
        error={error}
        onRetry={() => void refetch()}
        {...(mayWrite && { onOpen: open })}
        empty={<EmptyState title={t('collector.token.none')} />}
      />
    </div>
  )
}

function TokenDrawer({ of: { id, way }, token }: { of: Collector; token: Token }) {
  const { t } = useTranslation('collection')
  const { close } = useDrawerPage()
  const save = useSend(saveCollectorTokens)
  const remove = useSend(removeCollectorTokens)
  const [typed, setTyped] = useState({
    ...{ threshold: token.threshold ?? '', most: token.most ?? '', allowance: token.allowance as string, when: token.schedule === '' ? 'always' : 'hourly' },
    ...{ share: token.max_fee_pct === null ? '' : String(token.max_fee_pct), use: token.threshold === null || token.enabled ? 'on' : 'off' },
  })
  const set = (changes: Partial<typeof typed>) => setTyped((present) => ({ ...present, ...changes }))
  const isReady = isAmount(typed.threshold) && isAmount(typed.most) && (typed.share === '' || isAmount(typed.share))
  const send = () => {
    const symbol = {
      ...{
        contract_address: token.contract_address,
        threshold: typed.threshold,
        most: typed.most,
        allowance: typed.allowance === 'exact' ? ('exact' as const) : ('bounded' as const),
      },
      ...{ max_fee_pct: typed.share === '' ? null : typed.share, schedule: typed.when === 'hourly' ? 'hourly' : '', enabled: typed.use === 'on' },
    }
    save.mutate({ id, symbols: [symbol] }, { onSuccess: () => close() })
  }
  const options = (of: 'allowance' | 'when' | 'use', values: readonly string[]) =>
    values.map((value) => ({ value, label: t(`collector.token.${of}.${value}`) }))
  const unit = <span>{token.symbol}</span>
  return (
    <>
      <DrawerBody>
        <SelectField label={t('collector.statusTitle')} value={typed.use} options={options('use', ['on', 'off'])} onChange={(use) => set({ use })} />
        <TextField
          label={t('collector.token.threshold')}
          hint={t('collector.token.thresholdHint')}
          value={typed.threshold}
          onChange={(threshold) => set({ threshold })}
          inputMode="decimal"
          suffix={unit}
        />
        <TextField
          label={t('collector.token.most')}
          hint={t(`collector.token.mostHint.${way}`)}
          value={typed.most}
          onChange={(most) => set({ most })}
          inputMode="decimal"
          suffix={unit}
        />
        {way === 'allowance' && (
          <SelectField
            label={t('collector.token.allowance.title')}
            value={typed.allowance}
            options={options('allowance', ['exact', 'bounded'])}
            onChange={(allowance) => set({ allowance })}
          />
        )}
        <TextField
          label={t('collector.token.share')}
          hint={t('collector.token.shareHint')}
          value={typed.share}
          onChange={(share) => set({ share })}
          inputMode="decimal"
          suffix={<span>%</span>}
        />
        <SelectField
          label={t('collector.token.when.title')}
          value={typed.when}
          options={options('when', ['always', 'hourly'])}
          onChange={(when) => set({ when })}
        />
      </DrawerBody>
      <DrawerFooter>
        {token.threshold !== null && (
          <Button
            variant="danger"
            loading={remove.isPending}
            onClick={() => remove.mutate({ id, symbols: [token.contract_address] }, { onSuccess: () => close() })}
          >
            {t('collector.token.remove')}
          </Button>
        )}
        <Button variant="primary" disabled={!isReady} loading={save.isPending} onClick={send}>
          {t('collector.save')}
        </Button>
      </DrawerFooter>
    </>
  )
}
