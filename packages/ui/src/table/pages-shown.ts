/**
 * The page numbers a pager shows: the first, the last, the present one and `around` beside it; `gap` where some are left out.
 * A gap never stands for one page only, for which there would be room.
 */
export function pagesShown(page: number, last: number, around: number): (number | 'gap')[] {
  const wanted = new Set([1, last])
  for (let each = page - around; each <= page + around; each += 1) if (each >= 1 && each <= last) wanted.add(each)
  const pages = [...wanted].toSorted((one, other) => one - other)
  return pages.flatMap((each, at): (number | 'gap')[] => {
    const before = pages[at - 1] ?? 0
    if (each === before + 1) return [each]
    return each === before + 2 ? [each - 1, each] : ['gap', each]
  })
}
