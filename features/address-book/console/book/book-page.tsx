import { BookTable } from './book-table.tsx'

/** The organisation's address book, as a page of its own. */
export function BookPage() {
  return <BookTable />
}
