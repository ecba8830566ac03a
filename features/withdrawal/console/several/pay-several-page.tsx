import '../withdrawal.css'
import { newRequestId, useEndpoint } from '@holdfast/client'
import { listPersonalBook } from '@holdfast/features/address-book/contract'
import { useFiat } from '@holdfast/features/price/console'
import { usePermissionAnswer, useSession } from '@holdfast/features/session/console'
import { labelGiven, labelRules } from '@holdfast/features/transaction/console'
import { paySeveralPath } from '@holdfast/features/wallet/console'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import { EmptyState, ErrorState, LoadingState, MoneyMovesContext, Note, PageHeader, useTextForm, useUnsaved } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { coinKey, type Tier } from '../draft.ts'
import type { Row } from './judge-rows.ts'
import type { Payer } from './find-payer.ts'
import { usePayers } from './payers.ts'
import { paysSeveral, type SeveralCoin, severalCoin } from './several-coin.ts'
import { SeveralForm } from './several-form.tsx'
import { type OrderSent, ordersFor, unsent } from './several-orders.ts'
import { SeveralReview } from './several-review.tsx'
import { SeveralSending } from './several-sending.tsx'
import type { CheckedBatch } from './use-costs.ts'
import { type Kept, readKeptRows } from './kept-rows.ts'
import { useKeepRows, useKeptRows } from './use-kept-rows.ts'

/** So many contacts can be named in a file by their names; any other one is chosen in its line. */
const CONTACTS_MAX = 100

/** Pays several recipients: they are typed, pasted, chosen or read from a file, each checked as it stands there, then shown whole and sent for approval. */
export function PaySeveralPage() {
  const { t } = useTranslation()
  const mayAsk = usePermissionAnswer('withdraw.create')
  const { kept, forget } = useKeptRows()
  const wanted = useWanted(kept)
  const { payers, payer, isReplaced, error, refetch } = usePayers(wanted.subWalletId)
  return (
    <MoneyMovesContext value={true}>
      <PageHeader title={t('withdrawal.several.title')}>{t('withdrawal.several.about')}</PageHeader>
      {payer && mayAsk ? (
        <div className="hf-stack">
          {isReplaced && <Note tone="warn">{t('withdrawal.several.otherPayer', { name: payer.name })}</Note>}
          <From key={payer.id} {...{ payers, payer, wanted, forget }} />
        </div>
      ) : payers && mayAsk !== undefined ? (
        <div className="hf-panel">
          <EmptyState drawing="coins" title={t('withdrawal.several.none')} action={<Link to="/mpc/wallet">{t('withdrawal.several.toWallets')}</Link>} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={8} />
      )}
    </MoneyMovesContext>
  )
}

type Wanted = { subWalletId?: string; chain?: string; symbol?: string }

/** From where, and in what, the address of the page wants to pay; orders under way stay what they are, whatever it says. */
function useWanted(kept: Kept | undefined): Wanted {
  const [search] = useSearchParams()
  const named = Object.fromEntries(search)
  if (kept && (kept.orders || named.sub_wallet_id === undefined)) return kept.place
  return { ...(named.sub_wallet_id !== undefined && { subWalletId: named.sub_wallet_id }), ...named }
}

type FromProps = {
  payers: readonly Payer[] | undefined
  payer: Payer
  wanted: Wanted
  /** Lets what was resumed decide no more from where, and in what, is paid. */
  forget: () => void
}

/** What a sub-wallet can pay with, and the contacts on that network. */
function From({ payers = [], payer, wanted, forget }: FromProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listCoinAssets, { sub_wallet_id: payer.id, ...useFiat().asked })
  const coins = (data?.list ?? []).filter((each) => each.enable_withdraw && paysSeveral(each)).map(severalCoin)
  const coin = coins.find(({ chain, symbol }) => chain === wanted.chain && symbol === wanted.symbol) ?? coins[0]
  const book = useEndpoint(listPersonalBook, { chain: coin?.chain ?? '', page_size: CONTACTS_MAX }, { enabled: coin !== undefined, keepLast: true })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />
  if (!coin)
    return (
      <div className="hf-panel">
        <EmptyState drawing="coins" title={t('withdrawal.several.noCoin')}>
          {t('withdrawal.several.noCoinText', { name: payer.name })}
        </EmptyState>
      </div>
    )
  if (book.isPending) return <LoadingState rows={8} />
  const contacts = new Map((book.data?.list ?? []).map(({ name, address }) => [name.toLocaleLowerCase(), address]))
  return <Steps {...{ payers, payer, coins, coin, contacts, forget }} />
}

type StepsProps = Pick<FromProps, 'payer' | 'forget'> & {
  payers: readonly Payer[]
  coins: readonly SeveralCoin[]
  coin: SeveralCoin
  contacts: ReadonlyMap<string, string>
}

const EMPTY: readonly Row[] = [
  { key: 0, to: '', amount: '' },
  { key: 1, to: '', amount: '' },
]

function Steps({ payers, payer, coins, coin, contacts, forget }: StepsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const personId = useSession()?.session?.person_id ?? ''
  const [kept] = useState(() => readKeptRows(sessionStorage, personId))
  const [rows, setRows] = useState(() => kept?.rows.map((row, key) => ({ ...row, key })) ?? EMPTY)
  const filled = useTextForm({ remark: { label: t('withdrawal.several.remark'), optional: true }, ...labelRules(t) }, kept?.noted)
  const [batch, setBatch] = useState<CheckedBatch>()
  const [orders, setOrders] = useState<OrderSent[] | undefined>(kept?.orders)
  const noted = { remark: filled.valueOf('remark'), category: filled.valueOf('category'), tags: filled.valueOf('tags') }
  const isAllSent = orders !== undefined && unsent(orders).length === 0
  const isFilled = !isAllSent && (orders !== undefined || [...rows.flatMap(({ to, amount }) => [to, amount]), ...Object.values(noted)].some(Boolean))
  useUnsaved(isFilled)
  useKeepRows(isFilled ? { place: { subWalletId: payer.id, chain: coin.chain, symbol: coin.symbol }, rows, noted, ...(orders && { orders }) } : undefined)
  const choose = (from: string, next?: SeveralCoin) => void navigate(paySeveralPath(from, next), { replace: true })
  if (orders) {
    const other = () => {
      setRows(EMPTY)
      setBatch(undefined)
      setOrders(undefined)
      forget()
    }
    return <SeveralSending {...{ coin, orders }} onChange={setOrders} onOther={other} />
  }
  if (batch) {
    const common = { sub_wallet_id: payer.id, chain: coin.chain, symbol: coin.symbol, remark: noted.remark.trim(), ...labelGiven(noted) }
    const begin = (tier: Tier['tier']) => setOrders(ordersFor({ ...batch, common }, tier, newRequestId))
    return <SeveralReview {...{ payer, coin, batch, noted }} onBack={() => setBatch(undefined)} onSend={begin} />
  }
  return (
    <SeveralForm
      {...{ payers, payer, coins, coin, contacts, rows, filled }}
      onRows={setRows}
      onPayer={(id) => choose(id, coin)}
      onCoin={(key) =>
        choose(
          payer.id,
          coins.find((each) => coinKey(each) === key),
        )
      }
      onReview={setBatch}
    />
  )
}
