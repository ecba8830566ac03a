import { ApprovalLink, PhoneButton } from '@holdfast/features/approval-page/console'
import { useTakeBack } from '@holdfast/features/transaction/console'
import { WalletName } from '@holdfast/features/wallet/console'
import { Amount, Button, type Column, Label, RelativeTime, shortAddress, StatusTag, plainText, summaryMoney, Time, type Tone, useNow } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { ORDER_KINDS, type OrderItem, remindApprovers, type TodoItem } from '@holdfast/features/proposal/contract'
import type { TodoFilters } from './filters.ts'

/** Orders that the chain carries out; the rest is about the policy, keys and held payments. */
const isOrder = (item: TodoItem): item is OrderItem => ORDER_KINDS.some((each) => each === item.kind)
/** A payment, and nothing about another one. */
const isPayment = (item: TodoItem): item is OrderItem => isOrder(item) && item.kind !== 'speed_up' && item.kind !== 'cancel'

const NAME_MAX = 60

const RISK_TONES: Record<TodoItem['risk'][number], Tone> = { lookalike: 'bad', first_seen: 'warn', expires_soon: 'warn', own: 'neutral' }

/** The columns of the to-do list: the task, the amount, the requester, the progress, and the time left. */
export function useTodoColumns(state: TodoFilters['state'], onOpen: (item: TodoItem) => void): Column<TodoItem>[] {
  const { t } = useTranslation()
  return [
    { key: 'summary', title: t('approval.column.summary'), render: (item) => <Summary item={item} /> },
    { key: 'amount', title: t('approval.column.amount'), align: 'end', render: (item) => <Worth item={item} /> },
    { key: 'initiator', title: t('approval.column.initiator'), wideOnly: state === 'mine', render: (item) => <AskedBy item={item} /> },
    { key: 'node', title: t('approval.column.node'), render: (item) => <Node item={item} /> },
    state === 'wait'
      ? { key: 'expires', title: t('approval.column.expires'), render: (item) => <Until item={item} /> }
      : { key: 'state', title: t('approval.column.state'), render: (item) => <State item={item} /> },
    { key: 'actions', title: t('approval.column.actions'), hidesTitle: true, align: 'end', render: (item) => <Actions item={item} onOpen={onOpen} /> },
  ]
}

/** The task in words; the whole address and every digit stand in its details and on the approval page. */
function Summary({ item }: { item: TodoItem }) {
  const { t } = useTranslation()
  if (item.kind !== 'transfer' && item.kind !== 'nft') {
    return (
      <span className="hf-todo-summary">
        <span className="hf-todo-kind">{t(`approval.kind.${item.kind}`)}</span>
        <span className="hf-todo-title" title={item.title}>
          <Label text={item.title} wrap />
        </span>
        {(isOrder(item) || item.kind === 'deposit_claim' || item.kind === 'batch') && <Payer item={item} />}
        <Risks item={item} />
      </span>
    )
  }
  return (
    <span className="hf-todo-summary">
      <span className="hf-todo-kind">{t(`approval.kind.${item.kind}`)}</span>
      <span title={item.title}>
        {t('approval.payTo')}{' '}
        {item.to_label === null ? <ShortOf address={item.address_to} isPlanted={item.imitates !== null} /> : <Label text={item.to_label} />}
      </span>
      <Payer item={item} />
      {item.remark !== '' && (
        <span className="hf-small hf-muted">
          <Label text={item.remark} />
        </span>
      )}
      <Risks item={item} />
    </span>
  )
}

/** The wallet whose money it is, and the network. */
function Payer({ item }: { item: Extract<TodoItem, { sub_wallet_name: string }> }) {
  const { t } = useTranslation()
  return (
    <span className="hf-small hf-muted hf-todo-payer">
      {t(item.kind === 'deposit_claim' ? 'approval.into' : 'approval.from')} <WalletName of={item} on={item} />
    </span>
  )
}

function Until({ item: { expire_at: atMs } }: { item: TodoItem }) {
  return atMs === null ? <span className="hf-faint">--</span> : <RelativeTime ms={atMs} />
}

function ShortOf({ address, isPlanted }: { address: string; isPlanted: boolean }) {
  return (
    <span className={isPlanted ? 'hf-mono hf-nowrap hf-todo-planted' : 'hf-mono hf-nowrap'} translate="no">
      {shortAddress(address)}
    </span>
  )
}

function Worth({ item }: { item: TodoItem }) {
  if (!isPayment(item) && item.kind !== 'deposit_claim' && item.kind !== 'batch') return <span className="hf-faint">--</span>
  const now = item.worth?.now ?? null
  return (
    <span className="hf-todo-amount">
      <Amount value={item.amount} unit={item.symbol} />
      {now !== null && <span className="hf-small hf-faint hf-numbers">{summaryMoney(now, item.worth?.currency ?? 'USD')}</span>}
    </span>
  )
}

/** What to look at before deciding. */
function Risks({ item }: { item: TodoItem }) {
  const { t } = useTranslation()
  if (item.risk.length === 0) return null
  return (
    <span className="hf-todo-risks">
      {item.risk.map((risk) => (
        <StatusTag key={risk} tone={RISK_TONES[risk]} text={t(`approval.risk.${risk}`)} />
      ))}
    </span>
  )
}

function AskedBy({ item }: { item: TodoItem }) {
  const { t } = useTranslation()
  return (
    <span className="hf-todo-person">
      <Label text={item.initiator.name} />
      <span className="hf-small hf-faint">
        <RelativeTime ms={item.created_at} />
      </span>
      {item.reminded && item.mine === 'decide' && (
        <span className="hf-small hf-todo-reminded">
          <Label text={item.reminded.by} /> {t('approval.reminded')} <RelativeTime ms={item.reminded.at} />
        </span>
      )}
    </span>
  )
}

function Node({ item }: { item: TodoItem }) {
  const { t } = useTranslation()
  const { no, total, done, need, waiting_for: waiting } = item.node
  return (
    <span className="hf-todo-node">
      <span className="hf-meter" aria-hidden>
        {Array.from({ length: need }, (_, at) => (
          <span key={at} className={at < done ? 'hf-meter-done' : undefined} />
        ))}
      </span>
      <span className="hf-small hf-muted hf-nowrap">{t('approval.count', { done, need })}</span>
      {item.state === 'wait' && item.decides_for.length > 0 && (
        <span className="hf-small hf-todo-reminded">
          <Label text={t('approval.decidesFor', { names: item.decides_for.map(({ name }) => name).join(t('approval.comma')) })} wrap />
        </span>
      )}
      {total > 1 && <span className="hf-small hf-muted hf-nowrap">{t('approval.step', { no, total })}</span>}
      {item.mine !== 'decide' && item.state === 'wait' && waiting.length > 0 && (
        <span className="hf-small hf-faint">
          {t('approval.waitsFor')} <Label text={waiting.join(', ')} />
        </span>
      )}
      {item.absent && <Absent of={item.absent} />}
    </span>
  )
}

const ABSENT_SHOWN = 3

/** Who of those it needs is away, and whether the others can complete it. */
function Absent({ of: { people, suffices, from } }: { of: NonNullable<TodoItem['absent']> }) {
  const { t } = useTranslation()
  const more = people.length - ABSENT_SHOWN
  return (
    <span className="hf-small hf-todo-absent">
      {people.slice(0, ABSENT_SHOWN).map(({ name, until, ask }, at) => (
        <span key={at}>
          <Label text={name} /> {t('approval.absent.until')} <Time ms={until} />
          {ask !== null && <> · {t('approval.absent.ask', { name: plainText(ask, NAME_MAX) })}</>}
        </span>
      ))}
      {more > 0 && <span>{t('approval.absent.more', { count: more })}</span>}
      {suffices ? (
        <span className="hf-muted">{t('approval.absent.suffices')}</span>
      ) : (
        <strong className="hf-todo-reminded">
          {from === null ? (
            t('approval.absent.tooLate')
          ) : (
            <>
              {t('approval.absent.notBefore')} <Time ms={from} />
            </>
          )}
        </strong>
      )}
    </span>
  )
}

const STATE_TONES: Readonly<Record<number, Tone>> = { 1000: 'warn', 1100: 'active', 1200: 'active', 2000: 'good', 2202: 'neutral' }

/** The state, and while it is open how long it stays so. */
function State({ item }: { item: TodoItem }) {
  const { t } = useTranslation()
  const text = t(`transaction.status.${item.status}`, { defaultValue: String(item.status) })
  const until = item.status === 1000 && item.expire_at !== null && (
    <>
      {t('approval.column.expires')} <RelativeTime ms={item.expire_at} />
    </>
  )
  return <StatusTag tone={STATE_TONES[item.status] ?? 'bad'} text={text} {...(until ? { next: until } : {})} />
}

function Actions({ item, onOpen }: { item: TodoItem; onOpen: (item: TodoItem) => void }) {
  const { t } = useTranslation()
  const takeBack = useTakeBack()
  const isOpen = item.status === 1000
  return (
    <span className="hf-todo-actions">
      {isOpen && item.mine === 'decide' && item.kind !== 'deposit_claim' && (
        <ApprovalLink variant="primary" size="small" href={item.approval_url} label={`${t('approval.review')}: ${item.title}`}>
          {t('approval.review')}
        </ApprovalLink>
      )}
      {isOpen && item.mine === 'decide' && item.kind !== 'deposit_claim' && <PhoneButton itemId={item.item_id} size="small" label={item.title} />}
      {item.remind_at !== null && <Remind item={item} againMs={item.remind_at} />}
      {isOpen && isOrder(item) && item.mine === 'initiator' && (
        <Button size="small" variant="danger" loading={takeBack.isPending} onClick={() => void takeBack.ask(item.biz_id)}>
          {t('approval.takeBack')}
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={() => onOpen(item)}>
        {t(item.kind === 'deposit_claim' && isOpen && item.mine === 'decide' ? 'approval.review' : 'approval.details')}
      </Button>
    </span>
  )
}

/** Asks those who have not decided yet to look; the server allows it once an hour, and until then it is said who was asked and when. */
function Remind({ item, againMs }: { item: TodoItem; againMs: number }) {
  const { t } = useTranslation()
  const nowMs = useNow()
  const remind = useSend(remindApprovers)
  const { reminded } = item
  if (reminded !== null && againMs > nowMs) {
    return (
      <span className="hf-small hf-muted hf-todo-again" role="status">
        {t('approval.remindedBy', { name: plainText(reminded.by, NAME_MAX) })} <RelativeTime ms={reminded.at} />. {t('approval.remindAgain')}{' '}
        <RelativeTime ms={againMs} />
      </span>
    )
  }
  return (
    <Button size="small" loading={remind.isPending} label={`${t('approval.remind')}: ${item.title}`} onClick={() => remind.mutate({ item_id: item.item_id })}>
      {t('approval.remind')}
    </Button>
  )
}
