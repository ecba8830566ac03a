import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconTable } from '@holdfast/ui'

export { AddressField } from './address-field.tsx'
export { openBookAuditDrawer } from './book/open-audit-drawer.tsx'
export { usePaidEntries } from './use-paid-entries.ts'
export { usePaymentCodes } from './use-payment-codes.ts'

export const feature: ConsoleFeature = {
  pages: {
    'wallet/personalBook': () => import('./personal-book-page.tsx').then((module) => module.PersonalBookPage),
    addressBook: () => import('./book/book-page.tsx').then((module) => module.BookPage),
    'addressBook/log': () => import('./book/log-page.tsx').then((module) => module.BookLogPage),
    'center/wallet/addressBook': () => import('./book/centre-book-page.tsx').then((module) => module.CentreBookPage),
  },
  navigation: [
    {
      path: 'addressBook',
      label: { key: 'book.nav', namespace: 'whiteAddress' },
      Icon: IconTable,
      shortcut: 'g b',
      permission: 'address_book.read',
      order: 45,
    },
  ],
  places: [{ path: 'wallet/personalBook', label: { key: 'personal.title', namespace: 'whiteAddress' }, Icon: IconTable }],
}
