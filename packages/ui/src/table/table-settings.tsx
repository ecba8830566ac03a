import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../field/checkbox.tsx'
import { IconSliders } from '../base/icons.tsx'
import { Popup } from '../base/popup.tsx'
import { canHide, type Column, isShown } from './table-column.ts'
import type { Density } from './table-memory.ts'
import { tableMemory, useColumnChoices, useDensity } from './use-table-memory.ts'

const DENSITIES: readonly Density[] = ['comfortable', 'compact']

/** Which columns of a table are shown, and how high its rows are. */
export function TableSettings<Row>({ name, columns }: { name: string; columns: readonly Column<Row>[] }) {
  const { t } = useTranslation()
  const group = useId()
  const choices = useColumnChoices(name)
  const density = useDensity()
  return (
    <Popup label={t('ui.table.settings')} className="hf-icon-button hf-table-settings" face={<IconSliders />}>
      <div className="hf-table-choices">
        <fieldset>
          <legend>{t('ui.table.density')}</legend>
          <div className="hf-segments">
            {DENSITIES.map((each) => (
              <label key={each} className="hf-segment">
                <input type="radio" name={group} checked={density === each} onChange={() => tableMemory().setDensity(each)} />
                <span>{t(`ui.table.${each}`)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>{t('ui.table.columns')}</legend>
          {columns.map((column, at) => {
            if (column.hidesTitle) return null
            return (
              <Checkbox
                key={column.key}
                disabled={!canHide(column, at)}
                checked={isShown(column, at, choices)}
                onChange={(isChosen) => tableMemory().setColumn(name, column.key, isChosen)}
              >
                {column.title}
              </Checkbox>
            )
          })}
        </fieldset>
        {Object.keys(choices).length > 0 && (
          <button type="button" className="hf-text-button hf-small" onClick={() => tableMemory().restoreColumns(name)}>
            {t('ui.table.restore')}
          </button>
        )}
      </div>
    </Popup>
  )
}
