import { Button } from '@holdfast/ui'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { TransactionKind } from '../../contract.ts'

export type OrderToOpen = { id: string; kind: TransactionKind; title: string }

/** How a record shown in a drawer opens another one over itself. Whoever opens the first one says how. */
export const OpenOther = createContext<(other: OrderToOpen) => void>(() => {
  throw new Error('a record stands outside the drawer that opens records')
})

/** Leads to another record: an order's payment, an order about it, or what a call brought. */
export function OtherRecord({ id, kind, words }: Pick<OrderToOpen, 'id' | 'kind'> & { words: string }) {
  const { t } = useTranslation()
  const open = useContext(OpenOther)
  return (
    <Button size="small" onClick={() => open({ id, kind, title: t(`transaction.detail.${kind}`) })}>
      {words}
    </Button>
  )
}
