import { CallError, TransportError } from '@holdfast/contract'
import {
  Address,
  Amount,
  Avatar,
  Button,
  Command,
  confirm,
  EmptyState,
  ErrorState,
  Facts,
  Fingerprint,
  Label,
  LoadingState,
  Note,
  type NoteTone,
  PageHeader,
  Qr,
  RelativeTime,
  ShortAddress,
  StatusTag,
  Time,
  Timeline,
  type Tone,
  useDrawers,
  useToast,
} from '@holdfast/ui'
import type { Story, StoryContext } from '../story.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const AT_MS = Date.UTC(2026, 10, 20, 9, 30)
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const NOTES: readonly NoteTone[] = ['info', 'good', 'warn', 'bad']

const words = ({ say }: StoryContext): [Tone, string][] => [
  ['active', say('In work', '处理中')],
  ['good', say('Completed', '已完成')],
  ['warn', say('Waiting for approval', '待审批')],
  ['bad', say('Refused', '已拒绝')],
  ['neutral', say('Cancelled', '已取消')],
]

export const statuses: Story = {
  key: 'statuses',
  title: 'States and stories',
  states: [
    {
      name: 'states',
      render: (context) => (
        <div className="gallery-row">
          {words(context).map(([tone, text]) => (
            <StatusTag key={tone} tone={tone} text={text} />
          ))}
        </div>
      ),
    },
    {
      name: 'with the next action',
      render: ({ say, name }) => (
        <StatusTag
          tone="warn"
          text={say('Waiting for approval', '待审批')}
          detail={say('1 of 2 approvals', '已审批 1/2')}
          next={
            <>
              <Label text={name('Bob Meier')} /> {say('must approve within 6 days, or it expires', '需在 6 天内审批，否则自动过期')}
            </>
          }
        />
      ),
    },
    {
      name: 'timeline',
      render: ({ say, name }) => (
        <Timeline
          label={say('History', '历史')}
          items={[
            {
              key: '1',
              tone: 'good',
              title: say('Requested', '已发起'),
              actor: name('Alice Chen'),
              atMs: AT_MS,
              note: <Label text={name('Salaries of November')} wrap />,
            },
            { key: '2', tone: 'good', title: say('Approved', '已审批'), actor: name('Bob Meier'), atMs: AT_MS + 600_000 },
            {
              key: '3',
              tone: 'bad',
              title: say('Refused by signer 2', '签名方 2 拒绝'),
              atMs: AT_MS + 900_000,
              note: say('Rule c7: the destination is not in the signed address book', '规则 c7：收款地址不在已签名的地址簿中'),
            },
            { key: '4', tone: 'neutral', title: say('Broadcast', '广播'), isAhead: true },
          ]}
        />
      ),
    },
  ],
}

export const values: Story = {
  key: 'values',
  title: 'Amounts, addresses, moments',
  states: [
    {
      name: 'facts',
      render: ({ say, name }) => (
        <div className="hf-panel">
          <Facts
            columns={2}
            facts={[
              { label: say('Amount', '金额'), value: <Amount value="1234567.890000000000000001" unit={name('ETH')} /> },
              { label: say('In short', '缩写'), value: <Amount value="1234567.89" unit="USDT" summary /> },
              { label: say('Unknown', '未知'), value: <Amount value={null} unit="ETH" /> },
              { label: say('When', '时间'), value: <Time ms={AT_MS} /> },
              { label: say('Ago', '多久前'), value: <RelativeTime ms={AT_MS} /> },
              { label: say('In a list', '列表中'), value: <ShortAddress address={ADDRESS} /> },
              {
                label: say('Member', '成员'),
                value: (
                  <span className="hf-row-tight">
                    <Avatar name={name('Alice Chen')} size={24} />
                    <Label text={name('Alice Chen')} />
                  </span>
                ),
              },
              { label: say('To', '收款地址'), value: <Address address={ADDRESS} />, wide: true },
              { label: say('Remark', '备注'), value: <Label text={name('Salaries of November')} wrap />, wide: true },
            ]}
          />
        </div>
      ),
    },
    { name: 'fingerprint', render: () => <Fingerprint hex={HEX} /> },
    { name: 'command', render: ({ name }) => <Command line={name('npm run recover -- verify --kit kit.json')} /> },
    { name: 'QR', render: ({ say }) => <Qr text={ADDRESS} label={say('Deposit address', '充值地址')} /> },
    { name: 'the one number of a page', render: ({ name }) => <Amount value="11660700.42" unit={name('USD')} large /> },
  ],
}

export const feedback: Story = {
  key: 'feedback',
  title: 'Empty, loading, failed, noteworthy',
  states: [
    {
      name: 'page head',
      render: ({ say, name }) => (
        <PageHeader title={name('Treasury')} kicker={<Label text={name(say('Wallet', '钱包'))} />} actions={<Button>{say('Rename', '重命名')}</Button>}>
          {say('What its sub-wallets hold.', '各子钱包的资产。')}
        </PageHeader>
      ),
    },
    ...NOTES.map((tone) => ({
      name: `note, ${tone}`,
      render: ({ say, name }: StoryContext) => (
        <Note tone={tone} title={<Label text={name(say('Deposits are closed', '充值未开放'))} wrap />}>
          {say('The recovery of this key has not been proven yet.', '该密钥的恢复流程尚未验证。')}
        </Note>
      ),
    })),
    { name: 'loading', render: () => <LoadingState rows={3} /> },
    {
      name: 'empty',
      render: ({ say }) => (
        <EmptyState title={say('No wallets yet', '暂无钱包')} action={<Button variant="primary">{say('Create wallet', '创建钱包')}</Button>} />
      ),
    },
    {
      name: 'refused by the server',
      render: ({ name }) => <ErrorState error={refusal(name('This wallet is frozen until Monday.'))} onRetry={() => undefined} />,
    },
    { name: 'out of reach', render: () => <ErrorState error={new TransportError('network', 'no connection')} onRetry={() => undefined} /> },
  ],
}

function refusal(message: string): CallError {
  return new CallError('100001', message, null, 200)
}

function Over({ say, name }: StoryContext) {
  const drawers = useDrawers()
  const toast = useToast()
  const ask = () =>
    confirm(drawers, {
      type: 'remove',
      title: name(say('Remove Treasury?', '移除 Treasury？')),
      content: <Label text={name(say('Its addresses stay in the address book.', '其地址仍保留在地址簿中。'))} wrap />,
      tip: say('It can be added again.', '之后可以重新添加。'),
      acknowledgement: say('I have told everybody', '我已通知所有人'),
      remark: true,
      confirmText: say('Remove', '移除'),
    })
  return (
    <div className="gallery-row">
      <Button onClick={() => void ask()}>{say('Open the drawer', '打开抽屉')}</Button>
      <Button
        onClick={() => {
          toast.success(name(say('Copied', '已复制')))
          toast.error(name(say('The server could not be reached', '无法连接服务器')))
        }}
      >
        {say('Show messages', '显示消息')}
      </Button>
    </div>
  )
}

export const overlays: Story = {
  key: 'overlays',
  title: 'Drawers and messages',
  states: [{ name: 'opened by buttons', render: (context) => <Over {...context} /> }],
}
