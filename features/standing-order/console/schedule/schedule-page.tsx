import '../standing-order.css'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { usePermissionAnswer, useSecondFactor } from '@holdfast/features/session/console'
import { listAllSubWallets, listWallets } from '@holdfast/features/wallet/contract'
import { Button, EmptyState, ErrorState, LoadingState, MoneyMovesContext, Note, PageHeader, PickField, TextField, useNow, useUnsaved } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { getScheduleDraft, proposeSchedule } from '../../contract.ts'
import { isSameDraft, useFirstAnswer } from '../first-answer.ts'
import { DateFields } from './date-fields.tsx'
import { draftFromSchedule, EMPTY_SCHEDULE, faultOfSchedule, type ScheduleDraft, scheduleToSend } from './schedule-draft.ts'

const idOf = requestIdKeeper()

type Option = { value: string; label: string }

/** Asks for payments on dates: who pays whom how much, on which days, and how late at most; or for the next version of those that the page's address names. */
export function SchedulePage() {
  const [search] = useSearchParams()
  const id = search.get('next')
  return <Schedule key={id} id={id} />
}

function Schedule({ id }: { id: string | null }) {
  const { t } = useTranslation('coSigner')
  const mayAsk = usePermissionAnswer('policy.propose')
  const wallets = useEndpoint(listWallets, {})
  const coins = useEndpoint(listOpenCoins, {})
  const last = useEndpoint(getScheduleDraft, { id: id ?? '' }, { enabled: id !== null })
  const first = useFirstAnswer(last)
  const error = wallets.error ?? coins.error ?? (first ? undefined : last.error)
  const isRead = id === null || first !== undefined
  const draft = first?.draft
  return (
    <MoneyMovesContext value={true}>
      <PageHeader title={draft ? t('standing.next', { name: draft.name }) : t('standing.schedule.title')}>
        {t(id === null ? 'standing.schedule.lead' : 'standing.schedule.nextLead')}
      </PageHeader>
      {mayAsk === false ? (
        <div className="hf-panel">
          <EmptyState title={t('standing.schedule.notYou')} action={<Link to="/mpc/standingOrders">{t('standing.schedule.all')}</Link>} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void Promise.all([wallets, coins, ...(id === null ? [] : [last])].map((each) => each.refetch()))} />
      ) : id !== null && draft === null ? (
        <div className="hf-panel">
          <EmptyState title={t('standing.schedule.noNext')} action={<Link to="/mpc/standingOrders">{t('standing.schedule.all')}</Link>} />
        </div>
      ) : mayAsk && wallets.data && coins.data && isRead ? (
        <Form
          wallets={[...wallets.data.top_wallet, ...wallets.data.wallet_list]
            .filter(({ state }) => state === 'active')
            .map(({ wallet_id: value, wallet_name: label }) => ({ value, label }))}
          coins={coins.data.coin_list}
          networks={coins.data.support_main_chain}
          last={draft ? draftFromSchedule(draft) : undefined}
          unpaid={first?.unpaid ?? []}
        />
      ) : (
        <LoadingState rows={8} />
      )}
    </MoneyMovesContext>
  )
}

/** The sub-wallet that a form of a payment hands over. */
function useGiven(): { subWallet: Option | undefined; chain: string; symbol: string } {
  const [search] = useSearchParams()
  const state: unknown = useLocation().state
  const given = state !== null && typeof state === 'object' && 'subWallet' in state ? (state.subWallet as { id: string; name: string }) : undefined
  return { subWallet: given && { value: given.id, label: given.name }, chain: search.get('chain') ?? '', symbol: search.get('symbol') ?? '' }
}

type FormProps = {
  wallets: readonly Option[]
  coins: readonly { chain: string; network: string; symbol: string }[]
  networks: readonly { chain: string; network: string; symbol: string }[]
  /** What the version before it was asked for with. */
  last: ScheduleDraft | undefined
  /** Dates of that version that have come and are not paid yet. */
  unpaid: readonly string[]
}

function Form({ wallets, coins, networks, last, unpaid }: FormProps) {
  const { t } = useTranslation('coSigner')
  const nowMs = useNow()
  const second = useSecondFactor()
  const { subWallet, chain, symbol } = useGiven()
  const isOffered = coins.some((each) => each.chain === chain && each.symbol === symbol)
  const [present] = useState<ScheduleDraft>(last ?? { ...EMPTY_SCHEDULE, subWalletId: subWallet?.value ?? '', ...(isOffered && { chain, symbol }) })
  const [draft, setDraft] = useState(present)
  const [isTried, setTried] = useState(false)
  const propose = useSend(proposeSchedule)
  useUnsaved(!isSameDraft(draft, present) && !propose.data)
  const set = (changes: Partial<ScheduleDraft>) => setDraft((before) => ({ ...before, ...changes }))
  if (propose.data)
    return (
      <Note tone="good" title={t('standing.ask.sent')}>
        <p>{t(`standing.schedule.sent.${propose.data.payee}`)}</p>
        <div className="hf-row">
          <ApprovalLink href={propose.data.approval_url}>{t('standing.decide')}</ApprovalLink>
          <Link to="/mpc/standingOrders">{t('standing.schedule.all')}</Link>
        </div>
      </Note>
    )
  const fault = faultOfSchedule(draft, nowMs)
  const send = () => {
    setTried(true)
    if (!second.check() || fault) return
    const wanted = scheduleToSend(draft)
    propose.mutate({ request_id: idOf(wanted), schedule: wanted, remark: '', ...second.given })
  }
  const network = networks.find((each) => each.chain === draft.chain)
  return (
    <form
      className="hf-panel hf-stack hf-schedule-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {unpaid.length > 0 && (
        <Note tone="warn" title={t('standing.schedule.unpaid', { dates: unpaid.join(', ') })}>
          {t('standing.schedule.unpaidText')}
        </Note>
      )}
      <TextField
        label={t('standing.ask.name')}
        value={draft.name}
        onChange={(name) => set({ name })}
        maxLength={100}
        placeholder={t('standing.schedule.nameExample')}
      />
      <FromFields {...{ draft, wallets }} given={subWallet} onChange={set} />
      <PickField
        label={t('standing.ask.coin')}
        options={coins.map((each) => ({ value: `${each.chain} ${each.symbol}`, label: each.symbol, detail: each.network }))}
        value={draft.chain === '' ? undefined : `${draft.chain} ${draft.symbol}`}
        onChange={(value) => set({ chain: value.split(' ')[0] ?? '', symbol: value.split(' ').slice(1).join(' ') })}
      />
      <TextField
        label={t('standing.schedule.address')}
        hint={t('standing.schedule.addressNote')}
        value={draft.address}
        onChange={(address) => set({ address })}
        wraps
        autoComplete="off"
      />
      <TextField
        label={t('standing.schedule.memo')}
        hint={t('standing.schedule.memoNote')}
        value={draft.memo}
        onChange={(memo) => set({ memo })}
        maxLength={256}
        autoComplete="off"
      />
      <div className="hf-schedule-line">
        <TextField
          label={t('standing.schedule.amount')}
          value={draft.amount}
          onChange={(amount) => set({ amount })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>{draft.symbol}</span>}
        />
        <TextField
          label={t('standing.schedule.fee')}
          hint={t('standing.schedule.feeNote')}
          value={draft.feeMax}
          onChange={(feeMax) => set({ feeMax })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>{network?.symbol}</span>}
        />
      </div>
      <DateFields draft={draft} onChange={set} />
      <Note tone="warn" title={t('standing.schedule.risk')}>
        {t('standing.schedule.riskText')}
      </Note>
      {second.field}
      {isTried && fault && (
        <Note tone="bad" title={t(`standing.schedule.fault.${fault}`)}>
          {t('standing.ask.mend')}
        </Note>
      )}
      <div className="hf-row">
        <Button variant="primary" type="submit" loading={propose.isPending}>
          {t('standing.ask.send')}
        </Button>
      </div>
    </form>
  )
}

type FromProps = {
  draft: ScheduleDraft
  wallets: readonly Option[]
  given: Option | undefined
  onChange: (changes: Partial<ScheduleDraft>) => void
}

/** Which sub-wallet pays: the one that was handed over, until another wallet is chosen. */
function FromFields({ draft, wallets, given, onChange }: FromProps) {
  const { t } = useTranslation('coSigner')
  const subWallets = useEndpoint(listAllSubWallets, { wallet_id: draft.walletId }, { enabled: draft.walletId !== '' })
  const ofWallet = (subWallets.data ?? []).map(({ sub_wallet_id: value, sub_wallet_name: label }) => ({ value, label }))
  const options = draft.walletId === '' && given ? [given] : ofWallet
  return (
    <div className="hf-schedule-line">
      <PickField
        label={t('standing.schedule.wallet')}
        options={wallets}
        value={draft.walletId || undefined}
        onChange={(walletId) => onChange({ walletId, subWalletId: '' })}
      />
      <PickField
        label={t('standing.schedule.subWallet')}
        options={options}
        value={draft.subWalletId || undefined}
        onChange={(subWalletId) => onChange({ subWalletId })}
      />
    </div>
  )
}
