import { useTranslation } from 'react-i18next'
import type { AddressCheck } from './draft.ts'
import { differingPlaces } from './read-destination.ts'

/** More letters differ where a digit was mistyped: the whole checksum is another then, and no place is the one. */
const CHECKSUM_SHOWN = 2

/** Words for an address that has the form of the network and is none of it: where its checksum is contradicted, as far as its letters tell. */
export function useCheckFault() {
  const { t } = useTranslation()
  return (check: AddressCheck | undefined, text: string): string | undefined => {
    if (check === undefined || check.valid || check.is_lost) return undefined
    const { checksum_at: places, reason } = check
    if (places.length === 0) return reason ?? undefined
    return places.length > CHECKSUM_SHOWN
      ? t('withdrawal.to.fault.checksum')
      : t('withdrawal.to.fault.differs', { places: differingPlaces(text.trim(), places) })
  }
}
