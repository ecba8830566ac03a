import type { ReactNode } from 'react'
import { Pager, type Paging } from './pager.tsx'
import { ErrorState } from '../feedback/states.tsx'
import { TableBody } from './table-body.tsx'
import { TableCards } from './table-cards.tsx'
import type { Column } from './table-column.ts'
import type { Density } from './table-memory.ts'
import { TableSettings } from './table-settings.tsx'
import { useIsPhone } from '../base/use-media-query.ts'
import { useDensity, useShownColumns } from './use-table-memory.ts'

export type { Column } from './table-column.ts'

type DataTableProps<Row> = {
  /** What the table holds, for those who cannot see it. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey(row: Row): string
  isLoading?: boolean
  error?: unknown
  onRetry?: () => void
  /** Shown where there are no rows. */
  empty: ReactNode
  /** Opens a row: its first cell becomes a button, and a click anywhere in the row does the same. */
  onOpen?: (row: Row) => void
  paging?: Paging
  /** A name of the table, unlike every other's. With it people choose its columns, and find them so again. */
  name?: string
  /** Above the rows, beside the table's settings, also where there are none: filters, a count, an export. */
  tools?: ReactNode
  /** The height of a row of a list long enough to be drawn in parts; by the density where absent. */
  rowHeightPx?: number
}

/** From here on only the rows in sight are in the page. */
const LONG_FROM = 200
const ROW_HEIGHT_PX: Record<Density, number> = { comfortable: 52, compact: 36 }

/**
 * A table of a list. On a telephone each row is a small card, because a table of ten columns cannot be read there. A list of
 * more than 200 rows has a box of its own to scroll in, and rows of one height and one line.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, error, paging, name, tools, columns } = props
  const density = useDensity()
  const isTable = rows ? rows.length > 0 : !error
  const settings = isTable && name !== undefined && <TableSettings name={name} columns={columns} />
  return (
    <div className={density === 'compact' ? 'hf-table-frame hf-compact' : 'hf-table-frame'}>
      {(settings || tools) && (
        <div className="hf-table-tools">
          <div className="hf-grow">{tools}</div>
          {settings}
        </div>
      )}
      <Rows {...props} density={density} />
      {isTable && paging && <Pager of={props.label} {...paging} />}
    </div>
  )
}

/** The rows, or what stands in their place. */
function Rows<Row>(props: DataTableProps<Row> & { density: Density }) {
  const { rows, error, onRetry, empty, name, columns, density } = props
  const isPhone = useIsPhone()
  const shown = useShownColumns(name, columns)
  if (error && !rows) return <ErrorState error={error} {...(onRetry ? { onRetry } : {})} />
  if (rows?.length === 0) return empty
  if (isPhone) return <TableCards {...props} columns={shown} />
  const isLong = (rows?.length ?? 0) > LONG_FROM
  const rowHeightPx = isLong ? (props.rowHeightPx ?? ROW_HEIGHT_PX[density]) : undefined
  return <TableBody {...props} columns={shown} isLoading={props.isLoading ?? false} rowHeightPx={rowHeightPx} />
}
