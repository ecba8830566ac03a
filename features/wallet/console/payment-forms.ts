import type { OpenForm, PaymentForms } from '@holdfast/features/console-feature'
import { useDrawers } from '@holdfast/ui'
import { createContext, useContext } from 'react'

export const PaymentFormsContext = createContext<PaymentForms | null>(null)

type FormOf<Key extends keyof PaymentForms> = Awaited<ReturnType<PaymentForms[Key]>> extends OpenForm<infer Form> ? Form : never

/** Opens a form that asks for money to be moved, from whichever feature brings it. Throws outside of a console. */
export function usePaymentForm<Key extends keyof PaymentForms>(key: Key): (form: FormOf<Key> & { title: string }) => void {
  const forms = useContext(PaymentFormsContext)
  const drawers = useDrawers()
  if (!forms) throw new Error('a form of a payment is wanted outside a console that brings it')
  return (form) => void forms[key]().then((open) => (open as OpenForm<FormOf<Key>>)(drawers, form))
}
