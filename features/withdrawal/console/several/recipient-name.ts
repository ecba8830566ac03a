import { subWalletPath } from '@holdfast/features/wallet/console'
import type { AddressCheck } from '../draft.ts'

/** Whose an address is, as people know it: a wallet of our own by its path, else a contact; null if it is neither. */
export const recipientName = ({ own, book }: Pick<AddressCheck, 'own' | 'book'>): string | null => (own ? subWalletPath(own) : (book?.name ?? null))
