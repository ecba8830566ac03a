import { features } from './features.ts'
import { paymentForms } from './payment-forms.ts'
import { preloadCoinActions } from './wallet-parts.tsx'

/** Fetches the drawers that move money before they are opened, so that a connection that is lost in between takes no payment apart. */
export function preloadPayments(): void {
  preloadCoinActions()
  for (const load of [...Object.values(paymentForms), ...features.flatMap(({ ahead }) => ahead ?? [])]) load().catch(() => undefined)
}
