import { Amount, BandChart, BarChart, DonutChart, TimeChart } from '@holdfast/ui'
import type { Story, StoryContext } from '../story.ts'

const DAY_MS = 86_400_000
const LAST_MS = Date.UTC(2026, 10, 21)

/** A balance that goes up and down the same way each time. */
const balance = (days: number, base: number, phase: number) =>
  Array.from({ length: days }, (_, at) => ({
    atMs: LAST_MS - (days - 1 - at) * DAY_MS,
    value: (base + base * 0.25 * Math.sin(at / 5 + phase) + at * base * 0.01).toFixed(2),
  }))

const gappy = (days: number) => balance(days, 800_000, 1).map((point, at) => (at > 30 && at < 38 ? { ...point, value: null } : point))

const fees = ['0.82', '1.94', '0.4', '3.16', '2.2', '0', '1.1', null, '2.75', '1.3', '0.66', '1.9', '2.1', '0.95']

const coins = (name: (ordinary: string) => string) => [
  { key: 'btc', name: 'BTC', value: '5210000' },
  { key: 'eth', name: name('ETH'), value: '3120000' },
  { key: 'usdt', name: 'USDT', value: '1870000' },
  { key: 'usdc', name: 'USDC', value: '940000' },
  { key: 'sol', name: 'SOL', value: '310000' },
  { key: 'trx', name: 'TRX', value: '120000' },
  { key: 'dot', name: 'DOT', value: '90000' },
  { key: 'doge', name: 'DOGE', value: '700' },
]

export const charts: Story = {
  key: 'charts',
  title: 'Charts',
  states: [
    {
      name: 'balance over time, with a gap where nothing is known',
      render: ({ say }) => (
        <TimeChart
          title={say('Balance', '资产余额')}
          note={say('All wallets, in US dollars at the price of each day', '全部钱包，按当日价格折合美元')}
          area
          unit="USD"
          series={[{ key: 'all', name: say('All wallets', '全部钱包'), points: gappy(90) }]}
        />
      ),
    },
    {
      name: 'several lines',
      render: ({ say, name }) => (
        <TimeChart
          title={say('By wallet', '按钱包')}
          unit="USD"
          series={[
            { key: 'a', name: name('Treasury'), points: balance(30, 900_000, 0) },
            { key: 'b', name: 'Payroll', points: balance(30, 420_000, 2) },
            { key: 'c', name: 'Cold reserve', points: balance(30, 1_400_000, 4) },
          ]}
        />
      ),
    },
    { name: 'bars, one of them unknown', render: (context) => <Fees {...context} /> },
    {
      name: 'allocation',
      render: ({ say, name }) => (
        <div className="gallery-half">
          <DonutChart
            title={say('Allocation', '资产分布')}
            sliceTitle={say('Coin', '币种')}
            valueTitle={say('Worth', '价值')}
            unit="USD"
            slices={coins(name)}
            centre={<Amount value="11660700" unit="USD" summary />}
          />
        </div>
      ),
    },
    {
      name: 'bands',
      render: ({ say, name }) => (
        <div className="gallery-half">
          <BandChart
            title={say('Hot, warm and cold', '热、温、冷分布')}
            bandTitle={say('Kind', '类型')}
            valueTitle={say('Worth', '价值')}
            unit="USD"
            bands={[
              { key: 'hot', name: name(say('Hot', '热钱包')), value: '1200000', fromPercent: 2, toPercent: 8 },
              { key: 'warm', name: say('Warm', '温钱包'), value: '2100000', fromPercent: 10, toPercent: 25 },
              { key: 'cold', name: say('Cold', '冷钱包'), value: '8360700', fromPercent: 70, toPercent: 85 },
            ]}
          />
        </div>
      ),
    },
    { name: 'nothing yet', render: ({ say }) => <TimeChart title={say('Balance', '资产余额')} series={[]} /> },
  ],
}

function Fees({ say, name }: StoryContext) {
  return (
    <BarChart
      title={say('Fees spent', '手续费支出')}
      barTitle={say('Day', '日期')}
      valueTitle={say('Fees', '手续费')}
      unit={name('ETH')}
      bars={fees.map((value, at) => ({ key: String(at), name: at === 3 ? name(`${at + 7} Nov`) : `${at + 7} Nov`, value }))}
    />
  )
}
