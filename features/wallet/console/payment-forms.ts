import type { FormsByName, OpenForm, PaymentForms } from '@holdfast/features/console-feature'
import { fetchMended, useDrawers } from '@holdfast/ui'
import { createContext, useContext } from 'react'

export const PaymentFormsContext = createContext<PaymentForms | null>(null)

/** Opens a form that requests a payment, from any feature that provides one. Throws outside of a console. */
export function usePaymentForm<Name extends keyof FormsByName>(name: Name): (form: FormsByName[Name] & { title: string }) => void {
  const forms = useContext(PaymentFormsContext)
  const drawers = useDrawers()
  if (!forms) throw new Error('a form of a payment is wanted outside a console that brings it')
  const load: () => Promise<OpenForm<FormsByName[Name]>> = forms[name]
  return (form) => void fetchMended(load).then((open) => open?.(drawers, form))
}
