import { TODO_KINDS, type TodoKind } from '@holdfast/features/proposal/contract'
import { readId, readKeyword, readOneOf, readPage, toAddress } from '@holdfast/ui/url-filters'

/** The view of the to-do list; it stands in the address. */
export type TodoFilters = {
  state: 'wait' | 'mine' | 'done'
  kind: TodoKind | undefined
  wallet: string | undefined
  keyword: string
  page: number
}

export const TODO_STATES = ['wait', 'mine', 'done'] as const

/** The filters in an address. Invalid ones are left out. */
export function readTodoFilters(search: URLSearchParams): TodoFilters {
  return {
    state: readOneOf(search, 'state', TODO_STATES) ?? 'wait',
    kind: readOneOf(search, 'kind', TODO_KINDS),
    wallet: readId(search, 'wallet'),
    keyword: readKeyword(search),
    page: readPage(search),
  }
}

/** The address of filters; defaults are left out. */
export function writeTodoFilters({ state, kind, wallet, keyword, page }: TodoFilters): Record<string, string> {
  return toAddress({ state: state === 'wait' ? undefined : state, kind, wallet, q: keyword, page })
}
