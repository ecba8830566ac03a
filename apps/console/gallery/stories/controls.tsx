import {
  Button,
  type ButtonVariant,
  ButtonLink,
  Checkbox,
  CopyButton,
  closePopup,
  DayRange,
  FilterPicker,
  IconDownload,
  IconExternal,
  IconPlus,
  IconSliders,
  ManyPicker,
  Picker,
  Popup,
  Pager,
  SelectField,
  Shortcut,
  Tabs,
  TextFilter,
  TextField,
  useTextForm,
} from '@holdfast/ui'
import { useEffect, useRef, useState } from 'react'
import type { Story, StoryContext } from '../story.ts'

const VARIANTS: readonly ButtonVariant[] = ['primary', 'default', 'danger', 'dashed', 'quiet']

export const buttons: Story = {
  key: 'buttons',
  title: 'Buttons',
  states: [
    {
      name: 'variants',
      render: ({ say }) => (
        <div className="gallery-row">
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant}>
              {say('Send for approval', '提交审批')}
            </Button>
          ))}
        </div>
      ),
    },
    {
      name: 'with icons, small, large, at work, not allowed',
      render: ({ say }) => (
        <div className="gallery-row">
          <Button icon={<IconPlus />}>{say('Create wallet', '创建钱包')}</Button>
          <ButtonLink href="#" iconEnd={<IconExternal />}>
            {say('Open the approval page', '打开审批页')}
          </ButtonLink>
          <Button size="small" icon={<IconDownload />}>
            {say('Export', '导出')}
          </Button>
          <Button size="large" variant="primary">
            {say('Sign in', '登录')}
          </Button>
          <Button variant="primary" loading>
            {say('Sending', '提交中')}
          </Button>
          <Button disabled>{say('Withdraw', '提币')}</Button>
          <CopyButton text="x" label={say('Copy', '复制')} showLabel />
        </div>
      ),
    },
  ],
}

function Form({ say, isTried }: StoryContext & { isTried: boolean }) {
  const { form, field, submit } = useTextForm({
    name: { label: say('Wallet name', '钱包名称') },
    amount: { label: say('Amount', '金额'), check: (text) => (/^\d+$/.test(text) ? undefined : say('Only digits', '只能输入数字')) },
  })
  const first = useRef(true)
  useEffect(() => {
    if (isTried && first.current) form.current?.requestSubmit()
    first.current = false
  }, [form, isTried])
  return (
    <form ref={form} noValidate onSubmit={(event) => submit(event, () => undefined)} className="gallery-half hf-panel">
      <TextField {...field('name')} hint={say('Seen by everybody in the organisation', '组织内所有成员可见')} />
      <TextField {...field('amount')} inputMode="decimal" />
      <SelectField
        label={say('Network', '网络')}
        value="eth"
        onChange={() => undefined}
        options={[
          { value: 'eth', label: 'Ethereum' },
          { value: 'tron', label: 'TRON' },
        ]}
      />
      <TextField label={say('Remark', '备注')} value="" rows={3} count={200} onChange={() => undefined} />
      <TextField label={say('Amount', '金额')} value="1.5" suffix={<span className="hf-amount-unit">ETH</span>} onChange={() => undefined} />
      <Button type="submit" variant="primary">
        {say('Create', '创建')}
      </Button>
    </form>
  )
}

export const forms: Story = {
  key: 'forms',
  title: 'Forms',
  states: [
    { name: 'empty', render: (context) => <Form {...context} isTried={false} /> },
    { name: 'sent while empty', render: (context) => <Form {...context} isTried /> },
    {
      name: 'filled in, and wrong',
      render: ({ say, name }) => (
        <div className="gallery-half hf-panel">
          <TextField label={say('Wallet name', '钱包名称')} value={name('Treasury')} onChange={() => undefined} />
          <TextField
            label={say('Address', '地址')}
            value={name('0x123')}
            error={say('This is no Ethereum address: it has 42 characters and begins with 0x.', '这不是以太坊地址：应为 0x 开头的 42 个字符。')}
            onChange={() => undefined}
          />
        </div>
      ),
    },
  ],
}

function Pickers({ say, name }: StoryContext) {
  const [few, setFew] = useState('a')
  const [many, setMany] = useState<string>()
  return (
    <div className="gallery-row">
      <Picker
        label={say('Wallet', '钱包')}
        value={few}
        onChange={setFew}
        options={[
          { value: 'a', label: name('Treasury'), detail: 'Ethereum' },
          { value: 'b', label: 'Payroll' },
          { value: 'c', label: name('Cold reserve') },
        ]}
      />
      <Picker
        label={say('Coin', '币种')}
        value={many}
        placeholder={say('Any coin', '全部币种')}
        onChange={setMany}
        options={Array.from({ length: 40 }, (_, at) => ({ value: String(at), label: `Coin ${at + 1}` }))}
      />
      <Popup label={say('Settings', '设置')} className="hf-icon-button" face={<IconSliders />}>
        <div className="hf-menu">
          {['g w', 'mod+k'].map((keys) => (
            <button key={keys} type="button" className="hf-menu-item" onClick={(event) => closePopup(event.currentTarget)}>
              {say('Wallets', '钱包列表')} <Shortcut keys={keys} />
            </button>
          ))}
        </div>
      </Popup>
    </div>
  )
}

function Switches({ say, name }: StoryContext) {
  const [tab, setTab] = useState<'coins' | 'addresses'>('coins')
  const [page, setPage] = useState(7)
  return (
    <div className="hf-stack">
      <Tabs
        label={name('Treasury')}
        tabs={[
          { key: 'coins', label: say('Coins', '币种') },
          { key: 'addresses', label: say('Addresses', '地址') },
        ]}
        active={tab}
        onChange={setTab}
      >
        <p>{tab}</p>
      </Tabs>
      <Pager of="Orders" page={page} pageSize={20} total={4000} onChange={setPage} />
      <Pager of="Members" page={1} pageSize={20} total={45} onChange={() => undefined} />
    </div>
  )
}

function Filters({ say, name }: StoryContext) {
  const [state, setState] = useState<'open' | 'done' | undefined>('open')
  const [some, setSome] = useState<string[]>([])
  const [days, setDays] = useState<{ from?: string | undefined; to?: string | undefined }>({ from: '2026-11-01' })
  const [isAll, setAll] = useState(true)
  return (
    <search className="hf-filters">
      <TextFilter search value="" label={say('Search address, transaction, remark', '搜索地址、交易、备注')} onChange={() => undefined} />
      <TextFilter value="1,5" label={say('Amount from', '最小金额')} accept={(text) => /^\d*$/.test(text)} onChange={() => undefined} />
      <FilterPicker
        label={say('State', '状态')}
        value={state}
        onChange={(next) => setState(next as typeof state)}
        options={[
          { value: 'open', label: say('Under way', '进行中') },
          { value: 'done', label: say('Completed', '已完成') },
        ]}
      />
      <FilterPicker label={say('Coin', '币种')} value={undefined} onChange={() => undefined} options={[{ value: 'eth', label: 'ETH' }]} />
      <ManyPicker label={say('Sub-wallets', '子钱包')} values={some} onChange={setSome} options={[{ value: 'a', label: name('Payroll') }]} />
      <DayRange
        label={say('Days', '日期')}
        fromLabel={say('From day', '起始日期')}
        toLabel={say('To day', '截止日期')}
        from={days.from}
        to={days.to}
        onChange={setDays}
      />
      <Checkbox checked={isAll} onChange={setAll}>
        {say('All wallets', '全部钱包')}
      </Checkbox>
    </search>
  )
}

export const choices: Story = {
  key: 'choices',
  title: 'Choices',
  states: [
    { name: 'pickers and menus', render: (context) => <Pickers {...context} /> },
    { name: 'filters of a list', render: (context) => <Filters {...context} /> },
    { name: 'tabs and pages', render: (context) => <Switches {...context} /> },
  ],
}
