import { answerPage, type InputOf } from '@holdfast/contract'
import { last } from '@holdfast/units'
import type { listTransactions as endpoint } from '../contract.ts'
import { askAhead } from './view/ask-ahead.ts'
import { readTransactions } from './view/describe-transactions.ts'
import { findPage } from './find-page.ts'
import { openView, type Viewer } from './view/view-context.ts'

/** Deposits and withdrawals in one list, newest first, a page at a time. */
export async function listTransactions(viewer: Viewer, { page_no, page_size, ...filter }: Omit<InputOf<typeof endpoint>, 'fiat'>) {
  const finding = findPage(viewer, filter, { limit: page_size, offset: (page_no - 1) * page_size })
  const [view, { total, found }] = await Promise.all([openView(viewer, askAhead(viewer, { page_no, page_size, ...filter })), finding])
  const page = answerPage({ page_no, page_size }, total, await readTransactions(view, found))
  return { ...page, next: page.has_more && found.length > 0 ? last(found).id : null }
}
