import { memo, type ReactNode } from 'react'
import type { Column } from './table-column.ts'

type RowOpenerProps<Row> = {
  row: Row
  onOpen: ((row: Row) => void) | undefined
  /** False if the keys of the table lead here, and the tab key does not. */
  isTabStop?: boolean
  onFocus?: () => void
  children: ReactNode
}

/** What a row is called, as a button over the whole row where the row opens something. */
export function RowOpener<Row>({ row, onOpen, isTabStop = true, onFocus, children }: RowOpenerProps<Row>) {
  if (!onOpen) return children
  return (
    <button type="button" className="hf-row-button" tabIndex={isTabStop ? 0 : -1} onFocus={onFocus} onClick={() => onOpen(row)}>
      {children}
    </button>
  )
}

type TableRowProps<Row> = {
  row: Row
  /** Its place in the whole list, from 0. */
  at: number
  columns: readonly Column<Row>[]
  onOpen: ((row: Row) => void) | undefined
  isTabStop: boolean
  onReach: (at: number) => void
  /** Every row has this height, and its cells one line. */
  heightPx: number | undefined
}

/** How the cells of a column stand, in its head and in every row. */
export function cellClass<Row>({ align, hidesTitle }: Column<Row>): string | undefined {
  if (hidesTitle) return align === 'end' ? 'hf-cell-actions hf-end' : 'hf-cell-actions'
  return align === 'end' ? 'hf-end' : undefined
}

function TableRowBody<Row>({ row, at, columns, onOpen, isTabStop, onReach, heightPx }: TableRowProps<Row>) {
  return (
    <tr
      className={onOpen ? 'hf-row-open' : undefined}
      data-row={at}
      // The head is the first row.
      aria-rowindex={heightPx === undefined ? undefined : at + 2}
      style={heightPx === undefined ? undefined : { blockSize: heightPx }}
    >
      {columns.map((column, place) => {
        const content =
          place === 0 ? (
            <RowOpener row={row} onOpen={onOpen} isTabStop={isTabStop} onFocus={() => onReach(at)}>
              {column.render(row)}
            </RowOpener>
          ) : (
            column.render(row)
          )
        return (
          <td key={column.key} className={cellClass(column)}>
            {heightPx === undefined ? content : <div className="hf-cell">{content}</div>}
          </td>
        )
      })}
    </tr>
  )
}

/** One row; drawn again only when something of it changed. */
export const TableRow = memo(TableRowBody) as typeof TableRowBody
