import { useFiat } from '@holdfast/features/price/console'
import type { PaymentForm } from '@holdfast/features/console-feature'
import { subWalletPath, usePaymentForm } from '@holdfast/features/wallet/console'
import { confirm, downloadFile, fromBase64, useDrawers } from '@holdfast/ui'
import { useApi, useSend } from '@holdfast/client'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getReceipt } from '../contract.ts'
import { cancelWithdrawal, resumeWithdrawal } from '@holdfast/features/transfer/contract'
import type { Row } from './row.ts'

/** How an address says which kind of transaction it names; nothing for payments. */
export const kindParameter = (type: Row['type']): { kind?: Row['type'] } => (type === 'withdraw' ? {} : { kind: type })

/** The address of the page that shows one transaction, to hand on. */
export function linkOf({ id, type }: Pick<Row, 'id' | 'type'>): string {
  const url = new URL('/mpc/center/wallet/transactions', location.origin)
  url.search = new URLSearchParams({ wallets: 'all', order: id, ...kindParameter(type) }).toString()
  return url.toString()
}

/** Takes an order back after asking once more, with a remark. */
export function useTakeBack() {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const cancel = useSend(cancelWithdrawal)
  const ask = async (orderId: string) => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('transaction.cancel.title'),
      content: t('transaction.cancel.text'),
      remark: true,
      confirmText: t('transaction.cancel.confirm'),
      cancelText: t('transaction.cancel.keep'),
    })
    if (answer.outcome === 'confirm') await cancel.mutateAsync({ withdraw_id: orderId, remark: answer.remark }).catch(() => undefined)
  }
  return { ask, isPending: cancel.isPending }
}

/** Lets an order go on that raised an alarm, once a person says that they have looked. */
export function useLetGoOn() {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const resume = useSend(resumeWithdrawal)
  const ask = async (orderId: string) => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('transaction.resume.title'),
      content: t('transaction.resume.text'),
      acknowledgement: t('transaction.resume.acknowledge'),
      confirmText: t('transaction.resume.confirm'),
    })
    if (answer.outcome === 'confirm') await resume.mutateAsync({ id: orderId }).catch(() => undefined)
  }
  return { ask, isPending: resume.isPending }
}

/** Opens the form of a payment with what an earlier order asked for. It is a new order: everything is checked anew. */
export function useOrderAgain(): (row: Row) => void {
  const { t } = useTranslation()
  const openForm = usePaymentForm('pay')
  return (row) =>
    openForm({
      title: t('transaction.action.againTitle'),
      subWallet: { id: row.sub_wallet_id, name: subWalletPath(row) },
      coin: { chain: row.chain, symbol: row.symbol },
      ...tokenOf(row),
      again: {
        to: row.address_to,
        memo: row.memo ?? '',
        amount: row.amount,
        remark: row.remark,
        category: row.category ?? '',
        tags: row.tags.join(', '),
      },
    })
}

/** The token of a collection that an order paid with. */
function tokenOf({ chain, network, symbol, base_symbol, contract_address, token_id }: Row): Pick<PaymentForm, 'token'> {
  return token_id === null || contract_address === null ? {} : { token: { chain, network, symbol, base_symbol, contract_address, token_id } }
}

/** Saves everything known of a transaction as a PDF, with times in the time zone of whoever asks. */
export function useReceipt() {
  const { client } = useApi()
  const { asked } = useFiat()
  const fetchReceipt = useMutation({
    mutationFn: ({ id, type }: Pick<Row, 'id' | 'type'>) =>
      client.call(getReceipt, { id, type, tz: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC', ...asked }),
    onSuccess: ({ file_name: name, pdf }) => downloadFile(name, fromBase64(pdf)),
  })
  return { save: (row: Pick<Row, 'id' | 'type'>) => fetchReceipt.mutate(row), isPending: fetchReceipt.isPending }
}
