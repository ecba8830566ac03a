import { useEffect, useRef } from 'react'
import { useApi } from './api-context.ts'

type RememberedList = {
  /** The list's name in the memory of pages. */
  name: string
  page: number
  /** The rows of this page and how many there are in all, once that is known. */
  data: { list: readonly unknown[]; pageTotal: number } | undefined
  /** The list was opened without saying which page or which rows. */
  isBare: boolean
  /** Shows another page of the list, in place of this one. */
  show(page: number): void
}

/**
 * Whoever comes back to a list within five minutes finds the page they left. A page that was remembered or sent on can be past the
 * end by now, or become so when its last row goes: then the first one is shown.
 */
export function useRememberedPage({ name, page, data, isBare, show }: RememberedList): void {
  const { pages } = useApi()
  const isOpened = useRef(false)
  useEffect(() => {
    if (isOpened.current) return
    isOpened.current = true
    const kept = pages.read(name)
    const exists = kept !== undefined && kept.pageNumber > 1 && kept.pageTotal > 0
    if (isBare && exists) show(kept.pageNumber)
  }, [pages, name, isBare, show])
  const total = data?.pageTotal
  useEffect(() => {
    if (total !== undefined) pages.write(name, { pageNumber: page, pageTotal: total })
  }, [pages, name, page, total])
  const isPastEnd = data?.list.length === 0 && page > 1
  useEffect(() => {
    if (isPastEnd) show(1)
    // Another `show` is no reason to show the page again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isPastEnd])
}
