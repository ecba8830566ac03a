import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../table/data-table.tsx'
import { IconChart, IconTable } from '../base/icons.tsx'
import type { Column } from '../table/table-column.ts'

type ChartFrameProps<Row> = {
  title: string
  /** Under the title: what the numbers are, and from where. */
  note?: ReactNode
  /** At the end of the head, such as a choice of the time shown. */
  actions?: ReactNode
  /** Under the head, over the chart and over the table, such as sums. */
  lead?: ReactNode
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  /** Shown in the place of both where there is nothing to draw. */
  empty?: ReactNode
  children: ReactNode
}

/** A chart with its title, and the table of the same numbers behind it, for whoever would rather read them. */
export function ChartFrame<Row>({ title, note, actions, lead, columns, rows, rowKey, empty, children }: ChartFrameProps<Row>) {
  const { t } = useTranslation()
  const [isTable, setTable] = useState(false)
  const id = useId()
  const isEmpty = rows.length === 0
  const choice = (wantsTable: boolean, label: string, Icon: typeof IconChart) => (
    <label className="hf-segment" title={label}>
      <input type="radio" name={`${id}-view`} checked={isTable === wantsTable} onChange={() => setTable(wantsTable)} aria-label={label} />
      <span>
        <Icon />
      </span>
    </label>
  )
  return (
    <figure className="hf-chart hf-panel" aria-labelledby={`${id}-title`}>
      <figcaption className="hf-chart-head">
        <div className="hf-grow">
          <h3 id={`${id}-title`}>{title}</h3>
          {note !== undefined && <p className="hf-small hf-muted">{note}</p>}
        </div>
        {!isEmpty && (
          <fieldset className="hf-segments hf-chart-views">
            <legend className="hf-visually-hidden">{t('ui.chart.view')}</legend>
            {choice(false, t('ui.chart.chart'), IconChart)}
            {choice(true, t('ui.chart.table'), IconTable)}
          </fieldset>
        )}
        {actions}
      </figcaption>
      {isEmpty && (empty ?? <p className="hf-chart-empty hf-muted">{t('ui.chart.none')}</p>)}
      {!isEmpty && lead}
      {!isEmpty && !isTable && children}
      {!isEmpty && isTable && (
        <div className="hf-chart-table">
          <DataTable label={title} columns={columns} rows={rows} rowKey={rowKey} empty={null} />
        </div>
      )}
    </figure>
  )
}
