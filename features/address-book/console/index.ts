import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconTable } from '@holdfast/ui'

export { AddressField } from './address-field.tsx'
export { usePaymentCodes } from './use-payment-codes.ts'

export const feature: ConsoleFeature = {
  pages: { 'wallet/personalBook': () => import('./personal-book-page.tsx').then((module) => module.PersonalBookPage) },
  places: [{ path: 'wallet/personalBook', label: { key: 'nav', namespace: 'whiteAddress' }, Icon: IconTable }],
}
