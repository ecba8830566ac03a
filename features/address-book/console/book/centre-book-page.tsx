import { useTranslation } from 'react-i18next'
import { BookPage } from './book-page.tsx'

/** The organisation's address book, as a page of the wallet centre. */
export function CentreBookPage() {
  const { t } = useTranslation()
  return <BookPage kicker={t('wallet.nav.centre')} />
}
