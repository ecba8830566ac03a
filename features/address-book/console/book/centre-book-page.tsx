import { useTranslation } from 'react-i18next'
import { BookTable } from './book-table.tsx'

/** The organisation's address book, as a page of the wallet centre. */
export function CentreBookPage() {
  const { t } = useTranslation('whiteAddress')
  return <BookTable kicker={t('book.centre')} />
}
