import type { OutputOf } from '@holdfast/contract'
import { ExplorerLinks } from '@holdfast/features/network/console'
import { WalletName } from '@holdfast/features/wallet/console'
import { Address, Amount, CopyButton, exactMoney, type Fact, Facts, Fingerprint, Label, StatusTag, Time } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { getDeposit, getAllowanceSpend, getWithdrawal } from '../../contract.ts'
import { NotifyStanding } from './notify-standing.tsx'
import { GuardedAddress } from '@holdfast/features/known-address/console'

export type Withdrawal = OutputOf<typeof getWithdrawal>
export type Deposit = OutputOf<typeof getDeposit>
export type AllowanceSpend = OutputOf<typeof getAllowanceSpend>

/** Everything a transaction consists of: whole addresses, every digit. */
export function PaymentFacts({ row }: { row: Withdrawal | Deposit | AllowanceSpend }) {
  const { t } = useTranslation()
  const order = 'nonce' in row ? row : undefined
  const isOut = row.type !== 'deposit'
  const { suspicious } = row
  const facts: (Fact | undefined)[] = [
    order && order.outputs.length > 0
      ? { label: t('transaction.fact.recipients'), value: <Recipients outputs={order.outputs} unit={row.symbol} />, wide: true }
      : row.about
        ? undefined
        : {
            label: t('transaction.fact.to'),
            value: (
              <Named name={isOut ? row.to_label : <WalletName of={row} on={row} />}>
                <GuardedAddress address={row.address_to} isSuspicious={isOut && suspicious} />
              </Named>
            ),
            wide: true,
          },
    row.address_from === null
      ? undefined
      : {
          label: t('transaction.fact.from'),
          value: (
            <Named name={isOut ? <WalletName of={row} on={row} /> : row.from_label}>
              <GuardedAddress address={row.address_from} isSuspicious={!isOut && suspicious} />
            </Named>
          ),
          wide: true,
        },
    row.taken_by === undefined ? undefined : { label: t('transaction.fact.takenBy'), value: <Address address={row.taken_by} />, wide: true },
    row.found_in === undefined || row.found_in === 'transaction'
      ? undefined
      : { label: t('transaction.fact.foundIn'), value: t(`transaction.foundIn.${row.found_in}`), wide: true },
    row.contract_address === null ? undefined : { label: t('transaction.fact.contract'), value: <Address address={row.contract_address} />, wide: true },
    row.memo === null ? undefined : { label: t('transaction.fact.memo'), value: <Label text={row.memo} wrap /> },
    row.fee === null ? undefined : { label: t('transaction.fact.feeCap'), value: <Amount value={row.fee} unit={row.fee_symbol} /> },
    row.real_fee === null
      ? undefined
      : {
          label: t('transaction.fact.fee'),
          value: (
            <span className="hf-row-tight">
              <Amount value={row.real_fee} unit={row.fee_symbol} />
              {row.worth?.fee != null && <span className="hf-small hf-faint">{exactMoney(row.worth.fee, row.worth.currency)}</span>}
            </span>
          ),
        },
    order?.nonce == null
      ? undefined
      : { label: t('transaction.fact.nonce'), hint: t('transaction.fact.nonceHint'), value: <span className="hf-numbers">{order.nonce}</span> },
    row.txid === null ? undefined : { label: t('transaction.fact.txid'), value: <TxId row={row} txid={row.txid} />, wide: true },
    row.tx_height === null ? undefined : { label: t('transaction.fact.height'), value: <span className="hf-numbers">{row.tx_height}</span> },
    row.txid === null
      ? undefined
      : {
          label: t('transaction.fact.confirmations'),
          value: <span className="hf-numbers">{t('transaction.progress.confirmations', { done: row.confirmations, need: row.need_confirmations })}</span>,
        },
    row.remark === '' ? undefined : { label: t('transaction.fact.remark'), value: <Label text={row.remark} wrap /> },
    row.category === null ? undefined : { label: t('transaction.fact.category'), value: <Label text={row.category} /> },
    row.tags.length === 0 ? undefined : { label: t('transaction.fact.tags'), value: <Label text={row.tags.join(', ')} wrap /> },
    row.note === '' ? undefined : { label: t('transaction.fact.note'), value: <Label text={row.note} wrap /> },
    row.notify === null ? undefined : { label: t('transaction.fact.notify'), value: <NotifyStanding row={row} /> },
    { label: t('transaction.fact.created'), value: <Time ms={row.created_at} /> },
    row.type === 'withdraw' ? { label: t('transaction.fact.source'), value: t(`transaction.source.${row.source}`) } : undefined,
    row.request_id === null
      ? undefined
      : { label: t('transaction.fact.request'), hint: t('transaction.fact.requestHint'), value: <Label text={row.request_id} wrap /> },
    order && {
      label: t('transaction.fact.fingerprint'),
      hint: t('transaction.fact.fingerprintHint'),
      value: <Fingerprint hex={order.intent_hash} />,
      wide: true,
    },
    {
      label: t(row.type === 'withdraw' ? 'transaction.fact.id' : 'transaction.fact.recordId'),
      value: (
        <span className="hf-row-tight">
          <code className="hf-break">{row.id}</code>
          <CopyButton text={row.id} label={t('transaction.action.copyId')} />
        </span>
      ),
      wide: true,
    },
  ]
  return <Facts facts={facts} />
}

/** An address under the name the organisation gives it. */
function Named({ name, children }: { name: ReactNode; children: ReactNode }) {
  if (name === null) return children
  return (
    <span className="hf-stack-tight">
      {typeof name === 'string' ? <Label text={name} /> : name}
      {children}
    </span>
  )
}

/** Everybody an order pays, each with what it gets. */
function Recipients({ outputs, unit }: { outputs: Withdrawal['outputs']; unit: string }) {
  const { t } = useTranslation()
  return (
    <ul className="hf-stack">
      {outputs.map((each) => (
        <li key={each.address_to} className="hf-stack-tight">
          <Amount value={each.amount} unit={unit} />
          {each.arrived !== null && <StatusTag tone={each.arrived ? 'good' : 'bad'} text={t(`transaction.fact.${each.arrived ? 'arrived' : 'notSent'}`)} />}
          <Named name={each.label}>
            <GuardedAddress address={each.address_to} isSuspicious={false} />
          </Named>
          {each.memo !== null && (
            <span className="hf-stack-tight">
              <span className="hf-small hf-muted">{t('transaction.fact.memo')}</span>
              <Label text={each.memo} wrap />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The transaction's id, and where it can be looked up outside. */
function TxId({ row: { chain }, txid }: { row: Pick<Withdrawal, 'chain'>; txid: string }) {
  const { t } = useTranslation()
  return (
    <span className="hf-stack-tight">
      <Address address={txid} copyMessage={t('ui.copy.done')} />
      <ExplorerLinks chain={chain} txid={txid} />
    </span>
  )
}
