import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'
import { Bar } from '../feedback/states.tsx'
import type { Column } from './table-column.ts'
import { cellClass, TableRow } from './table-row.tsx'
import { rowAfterKey } from './table-window.ts'
import { useRowWindow } from './use-row-window.ts'

type TableBodyProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey(row: Row): string
  isLoading: boolean
  onOpen?: ((row: Row) => void) | undefined
  /** Given for a long list: only the rows in sight are in the page, each of this height. */
  rowHeightPx: number | undefined
}

const SKELETON_ROWS = 5
const MIN_COLUMN_PX = 150

/** The rows of a table under a head that stays in sight. Arrows, Page keys, Home and End lead through the rows, Enter opens one. */
export function TableBody<Row>({ label, columns, rows, rowKey, isLoading, onOpen, rowHeightPx }: TableBodyProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const count = rows?.length ?? 0
  const [reached, setReached] = useState(0)
  const active = Math.min(reached, Math.max(0, count - 1))
  const { stretches, reveal } = useRowWindow({ box, count, rowHeightPx, kept: onOpen ? active : undefined })
  const fits = useFits(box, table, rowHeightPx === undefined)
  const focusNext = useRef(false)
  useLayoutEffect(() => {
    if (!focusNext.current) return
    focusNext.current = false
    table.current?.querySelector<HTMLElement>(`[data-row="${active}"] .hf-row-button`)?.focus({ preventScroll: true })
  })
  const open = useStable(onOpen)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!onOpen || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const isBox = event.target === event.currentTarget
    // Fields and buttons inside a row keep their own keys.
    if (!isBox && !(event.target as Element).classList.contains('hf-row-button')) return
    const rowsInView = Math.floor((box.current?.clientHeight ?? 0) / (rowHeightPx ?? 48))
    const to = isBox && event.key === 'ArrowDown' ? active : rowAfterKey(event.key, active, count, rowsInView)
    if (to === undefined) return
    event.preventDefault()
    focusNext.current = true
    setReached(to)
    reveal(to)
    // The same row again changes nothing, and then nothing would take the focus there.
    if (to === active) table.current?.querySelector<HTMLElement>(`[data-row="${to}"] .hf-row-button`)?.focus({ preventScroll: true })
  }
  const spoken = plainText(label, LABEL_LIMIT)
  const isLong = rowHeightPx !== undefined
  const classes = ['hf-table', isLoading && rows ? 'hf-table-stale' : '', isLong ? 'hf-table-long' : ''].filter(Boolean).join(' ')
  const boxClass = ['hf-table-scroll', isLong ? 'hf-table-window' : '', fits ? 'hf-table-fits' : ''].filter(Boolean).join(' ')
  return (
    // The keys are those of the row buttons inside; the box takes them in one place, and itself only leads to the first row.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div ref={box} className={boxClass} tabIndex={0} role="group" aria-label={spoken} onKeyDown={move}>
      <table
        ref={table}
        className={classes}
        aria-label={spoken}
        aria-busy={isLoading || !rows}
        aria-rowcount={isLong ? count + 1 : undefined}
        style={isLong ? { minInlineSize: columns.length * MIN_COLUMN_PX } : undefined}
      >
        <Head columns={columns} />
        <tbody>
          {!rows && <Skeleton columns={columns} />}
          {rows &&
            stretches.flatMap(({ kind, from, to }) =>
              kind === 'room' ? (
                <tr key={`room-${from}`} aria-hidden className="hf-table-room">
                  {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
                  <td colSpan={columns.length} style={{ blockSize: (to - from) * (rowHeightPx ?? 0) }} />
                </tr>
              ) : (
                rows
                  .slice(from, to)
                  .map((row, place) => (
                    <TableRow
                      key={rowKey(row)}
                      row={row}
                      at={from + place}
                      columns={columns}
                      onOpen={onOpen && open}
                      isTabStop={from + place === active}
                      onReach={setReached}
                      heightPx={rowHeightPx}
                    />
                  ))
              ),
            )}
        </tbody>
      </table>
    </div>
  )
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.key} scope="col" className={cellClass(column)} style={{ width: column.width }}>
            {column.hidesTitle ? <span className="hf-visually-hidden">{column.title}</span> : column.title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Skeleton<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return Array.from({ length: SKELETON_ROWS }, (_, at) => (
    <tr key={at}>
      {columns.map((column) => (
        <td key={column.key}>
          <Bar />
        </td>
      ))}
    </tr>
  ))
}

/** Whether a table is no wider than its box. Then the box need not scroll, and the head can stay in sight of the whole page. */
function useFits(box: React.RefObject<HTMLElement | null>, table: React.RefObject<HTMLElement | null>, isWanted: boolean): boolean {
  const [fits, setFits] = useState(false)
  useLayoutEffect(() => {
    if (!isWanted || !box.current || !table.current) return undefined
    const check = () => setFits((table.current?.offsetWidth ?? 0) <= (box.current?.clientWidth ?? 0))
    const observer = new ResizeObserver(check)
    observer.observe(box.current)
    observer.observe(table.current)
    check()
    return () => observer.disconnect()
  }, [box, table, isWanted])
  return fits && isWanted
}

/** A function that stays the same while what it does may change, so that rows need not be drawn again for it. */
function useStable<Row>(handler: ((row: Row) => void) | undefined): (row: Row) => void {
  const latest = useRef(handler)
  useEffect(() => void (latest.current = handler))
  return useCallback((row: Row) => latest.current?.(row), [])
}
