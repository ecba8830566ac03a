import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'
import { Button } from '../base/button.tsx'
import { LoadingState } from '../feedback/states.tsx'
import type { Column } from './table-column.ts'
import { RowOpener } from './table-row.tsx'

type CardsProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey(row: Row): string
  onOpen?: ((row: Row) => void) | undefined
}

const BATCH = 60

/** The rows of a table as small cards, for a telephone. A long list grows as its end comes near. */
export function TableCards<Row>({ label, columns, rows, rowKey, onOpen }: CardsProps<Row>) {
  const [limit, setLimit] = useState(BATCH)
  const [first, ...others] = columns.filter((column) => !column.wideOnly)
  if (!rows) return <LoadingState rows={6} />
  return (
    <>
      <ul className="hf-cards" aria-label={plainText(label, LABEL_LIMIT)}>
        {rows.slice(0, limit).map((row) => (
          <li key={rowKey(row)} className={onOpen ? 'hf-card hf-row-open' : 'hf-card'}>
            <div className="hf-card-title">
              <RowOpener row={row} onOpen={onOpen}>
                {first?.render(row)}
              </RowOpener>
            </div>
            <dl>
              {others.map((column) => (
                <div key={column.key} className={column.hidesTitle ? 'hf-card-actions' : 'hf-card-line'}>
                  <dt>{column.title}</dt>
                  <dd>{column.render(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      {limit < rows.length && <More onNear={() => setLimit((present) => present + BATCH)} />}
    </>
  )
}

function More({ onNear }: { onNear: () => void }) {
  const { t } = useTranslation()
  const foot = useRef<HTMLDivElement>(null)
  const near = useRef(onNear)
  useEffect(() => void (near.current = onNear))
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && near.current(), { rootMargin: '600px' })
    if (foot.current) observer.observe(foot.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={foot} className="hf-cards-more">
      <Button variant="quiet" onClick={onNear}>
        {t('ui.table.more')}
      </Button>
    </div>
  )
}
