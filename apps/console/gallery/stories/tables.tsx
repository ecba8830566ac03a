import { Amount, Button, type Column, DataTable, EmptyState, Label, ShortAddress, StatusTag, Time, type Tone } from '@holdfast/ui'
import { useState } from 'react'
import type { Story, StoryContext } from '../story.ts'

type Row = { id: string; name: string; state: Tone; amount: string; address: string; at: number; fee: string }

const STATES: readonly Tone[] = ['active', 'good', 'warn', 'bad', 'neutral']
const FIRST_MS = Date.UTC(2026, 10, 20, 9, 30)

/** Rows made from their number, so that every picture of them is the same. */
function makeRow(at: number): Row {
  const hex = ((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')
  return {
    id: String(at),
    name: `Wallet ${at + 1}`,
    state: STATES[at % STATES.length] ?? 'neutral',
    amount: `${(at * 7919) % 100_000}.${String((at * 31) % 1000).padStart(3, '0')}`,
    address: `0x${hex.repeat(5)}`,
    at: FIRST_MS - at * 61_000,
    fee: `0.${String((at * 17) % 10_000).padStart(6, '0')}`,
  }
}

const rowsOf = (count: number, { name }: StoryContext) =>
  Array.from({ length: count }, (_, at) => {
    const row = makeRow(at)
    return at % 3 === 0 ? { ...row, name: name(row.name) } : row
  })

function columnsOf({ say }: StoryContext): Column<Row>[] {
  const words: Record<Tone, string> = {
    active: say('In work', '处理中'),
    good: say('Completed', '已完成'),
    warn: say('Waiting', '待处理'),
    bad: say('Refused', '已拒绝'),
    neutral: say('Cancelled', '已取消'),
  }
  return [
    { key: 'name', title: say('Name', '名称'), render: (row) => <Label text={row.name} /> },
    {
      key: 'state',
      title: say('State', '状态'),
      render: (row) => (
        <StatusTag
          tone={row.state}
          text={words[row.state]}
          {...(row.state === 'warn' ? { next: say('Bob must approve by Friday', 'Bob 需在周五前审批') } : {})}
        />
      ),
    },
    { key: 'amount', title: say('Amount', '金额'), align: 'end', render: (row) => <Amount value={row.amount} unit="USDT" /> },
    { key: 'address', title: say('To', '收款地址'), wideOnly: true, render: (row) => <ShortAddress address={row.address} /> },
    { key: 'at', title: say('Time', '时间'), render: (row) => <Time ms={row.at} /> },
    { key: 'fee', title: say('Fee', '手续费'), align: 'end', startsHidden: true, render: (row) => <Amount value={row.fee} unit="ETH" /> },
  ]
}

function Listed({ context, count, isLoading, hasActions }: { context: StoryContext; count: number; isLoading?: boolean; hasActions?: boolean }) {
  const { say } = context
  const [opened, setOpened] = useState('')
  const [rows] = useState(() => rowsOf(count, context))
  const [columns] = useState((): Column<Row>[] => [
    ...columnsOf(context),
    ...(hasActions
      ? [
          {
            key: 'actions',
            title: say('Actions', '操作'),
            hidesTitle: true,
            align: 'end' as const,
            width: 1,
            render: () => <Button size="small">{say('Deposit', '充值')}</Button>,
          },
        ]
      : []),
  ])
  return (
    <>
      <DataTable
        // Each list of a page has a name of its own.
        label={isLoading ? say('Withdrawals, stale', '提币记录，待更新') : say('Withdrawals', '提币记录')}
        name={count > 200 ? 'gallery-long' : 'gallery'}
        tools={<span className="hf-small hf-muted">{say(`${count.toLocaleString('en')} orders`, `共 ${count} 笔`)}</span>}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        isLoading={isLoading ?? false}
        empty={null}
        onOpen={(row) => setOpened(row.id)}
        {...(count > 200 ? {} : { paging: { page: 3, pageSize: 20, total: 4321, onChange: () => undefined } })}
      />
      <output className="hf-visually-hidden" data-opened={opened} />
    </>
  )
}

export const tables: Story = {
  key: 'tables',
  title: 'Tables',
  states: [
    { name: 'with rows', render: (context) => <Listed context={context} count={6} hasActions /> },
    { name: 'stale, being fetched again', render: (context) => <Listed context={context} count={2} isLoading /> },
    {
      name: 'first load',
      render: (context) => <DataTable label="loading" columns={columnsOf(context)} rows={undefined} rowKey={(row) => row.id} isLoading empty={null} />,
    },
    {
      name: 'empty',
      render: (context) => (
        <DataTable
          label="empty"
          columns={columnsOf(context)}
          rows={[]}
          rowKey={(row) => row.id}
          empty={
            <div className="hf-panel">
              <EmptyState
                title={context.say('No withdrawals yet', '暂无提币记录')}
                action={<Button variant="primary">{context.say('Withdraw', '提币')}</Button>}
              >
                {context.say('Orders appear here as soon as somebody asks for one.', '有人发起提币后会显示在这里。')}
              </EmptyState>
            </div>
          }
        />
      ),
    },
    {
      name: 'failed',
      render: (context) => (
        <DataTable
          label="failed"
          columns={columnsOf(context)}
          rows={undefined}
          rowKey={(row) => row.id}
          error={new Error('x')}
          onRetry={() => undefined}
          empty={null}
        />
      ),
    },
  ],
}

export const longTable: Story = {
  key: 'long-table',
  title: 'A hundred thousand rows',
  states: [{ name: 'drawn in parts', render: (context) => <Listed context={context} count={100_000} /> }],
}
