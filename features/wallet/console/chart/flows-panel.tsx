import type { OutputOf } from '@holdfast/contract'
import { CoinMark } from '@holdfast/features/network/console'
import { useFiat } from '@holdfast/features/price/console'
import { ErrorState, FlowChart, Label, LoadingState, Picker } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { FLOW_RANGES, listFlows } from '../../contract.ts'
import { useAmountsHidden } from '../amounts-hidden.ts'
import { type FlowChoice, readFlowChoice, writeFlowChoice } from './flow-choice.ts'
import { CoinAmount, Worth } from '../money.tsx'
import { RangeChoice } from './range-choice.tsx'
import { PRICES_EVERY_MS } from '../use-wallets.ts'

type Flows = OutputOf<typeof listFlows>
type CoinFlow = Flows['coins'][number]

const ALL = 'all'
const keyOf = ({ chain, contract_address }: CoinFlow) => `${chain}|${contract_address ?? ''}`

/** What came in and went out by day, in money or in one coin: of the whole organisation, or of one sub-wallet, there coin by coin too. */
export function FlowsPanel({ subWalletId }: { subWalletId?: string }) {
  const [search, setSearch] = useSearchParams()
  const choice = readFlowChoice(search)
  const choose = (next: Partial<FlowChoice>) =>
    setSearch(
      (present) => {
        const others = [...present].filter(([name]) => name !== 'flows' && name !== 'flow_coin')
        return { ...Object.fromEntries(others), ...writeFlowChoice({ ...choice, ...next }) }
      },
      { replace: true },
    )
  const { asked } = useFiat()
  const input = { range: choice.range, ...asked, ...(subWalletId === undefined ? {} : { sub_wallet_id: subWalletId }) }
  const { data, error, refetch } = useEndpoint(listFlows, input, { keepLast: true, refetchEveryMs: PRICES_EVERY_MS })
  if (!data) return <div className="hf-panel">{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</div>
  return (
    <>
      <Picture flows={data} choice={choice} onChange={choose} isWhole={subWalletId === undefined} />
      {subWalletId !== undefined && data.coins.length > 0 && <ByCoin coins={data.coins} />}
    </>
  )
}

type PictureProps = { flows: Flows; choice: FlowChoice; onChange: (next: Partial<FlowChoice>) => void; isWhole: boolean }

function Picture({ flows, choice, onChange, isWhole }: PictureProps) {
  const { t } = useTranslation()
  const { fiat } = useFiat()
  const [hidden] = useAmountsHidden()
  const { coins, days, total } = flows
  // Without any price there is no common measure: then the first coin is shown by itself.
  const hasPrices = total.in !== null
  const coin = coins.find((each) => keyOf(each) === choice.coin) ?? (hasPrices ? undefined : coins[0])
  const unpriced = coins.filter((each) => each.partial)
  const moved = new Map(coin?.days.map((each) => [each.day, each]))
  const shown = coin
    ? days.map(({ day }) => ({ atMs: day, ...(moved.get(day) ?? { in: '0', out: '0', fee: '0' }) }))
    : days.map(({ day, partial, ...of }) => ({ atMs: day, isPartial: partial, ...of }))
  return (
    <FlowChart
      title={t('wallet.flows.title')}
      actions={<RangeChoice label={t('wallet.flows.range')} ranges={FLOW_RANGES} range={choice.range} onChange={(range) => onChange({ range })} />}
      days={hidden || coins.length === 0 ? [] : shown}
      names={{ in: t('wallet.flows.in'), out: t('wallet.flows.out'), fee: t('wallet.flows.fee') }}
      dayTitle={t('wallet.flows.day')}
      unit={coin ? coin.symbol : fiat}
      empty={<p className="hf-chart-empty hf-muted">{t(hidden ? 'wallet.money.hidden' : 'wallet.flows.none')}</p>}
      lead={
        <>
          <div className="hf-flow-head">
            <dl className="hf-flow-sums">
              {(['in', 'out', 'fee'] as const).map((key) => (
                <div key={key}>
                  <dt className="hf-small hf-muted">{t(`wallet.flows.${key}`)}</dt>
                  <dd>{coin ? <CoinAmount value={coin[key]} unit={coin.symbol} summary /> : <Worth value={total[key]} isPartial={total.partial} />}</dd>
                </div>
              ))}
            </dl>
            <Picker
              label={t('wallet.flows.coin')}
              value={coin ? keyOf(coin) : ALL}
              onChange={(value) => onChange({ coin: value === ALL ? undefined : value })}
              options={[
                ...(hasPrices ? [{ value: ALL, label: t('wallet.flows.all') }] : []),
                ...coins.map((each) => ({ value: keyOf(each), label: each.symbol, detail: each.network })),
              ]}
            />
          </div>
          <p className="hf-small hf-muted">{t(isWhole ? 'wallet.flows.noteAll' : 'wallet.flows.noteOne')}</p>
          {!coin && unpriced.length > 0 && (
            <p className="hf-small hf-muted">{t('wallet.flows.unpriced', { coins: unpriced.map(({ symbol }) => symbol).join(t('wallet.comma')) })}</p>
          )}
        </>
      }
    />
  )
}

/** What each coin did in all these days. */
function ByCoin({ coins }: { coins: readonly CoinFlow[] }) {
  const { t } = useTranslation()
  return (
    <section className="hf-panel hf-stack-tight">
      <h3 className="hf-flow-title">{t('wallet.flows.byCoin')}</h3>
      <ul className="hf-flow-coins">
        {coins.map((coin) => (
          <li key={keyOf(coin)}>
            <span className="hf-share-coin">
              <CoinMark chain={coin.chain} contract={coin.contract_address} symbol={coin.symbol} />
              <span className="hf-coin">
                <span className="hf-coin-symbol">
                  <Label text={coin.symbol} />
                </span>
                <span className="hf-coin-network">{coin.network}</span>
              </span>
            </span>
            <dl>
              {(['in', 'out', 'fee'] as const).map((key) => (
                <div key={key}>
                  <dt className="hf-small hf-muted">{t(`wallet.flows.${key}`)}</dt>
                  <dd>
                    <CoinAmount value={coin[key]} summary />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  )
}
