import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../base/button.tsx'
import { IconDownload } from '../base/icons.tsx'
import { closePopup, Popup } from '../base/popup.tsx'
import { saveTable, TABLE_FORMATS, type TableFormat } from './save-table.ts'

type ExportMenuProps = {
  label: string
  size?: 'small' | 'middle'
  disabled?: boolean
  /** The list as CSV and what the file is called, without its ending; undefined if it cannot be had, which the caller has said. */
  read(): Promise<{ name: string; csv: string } | undefined>
}

/** A button that writes a list into a file, in the kind the person chooses. */
export function ExportMenu({ label, size = 'middle', disabled = false, read }: ExportMenuProps) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const save = async (format: TableFormat) => {
    setBusy(true)
    try {
      const file = await read()
      if (file) await saveTable(file.name, [file.csv], format)
    } finally {
      setBusy(false)
    }
  }
  const face = (
    <>
      {isBusy ? <span className="hf-spinner" aria-hidden /> : <IconDownload />}
      <span>{label}</span>
    </>
  )
  return (
    <Popup label={label} className={buttonClass({ size })} disabled={disabled || isBusy} face={face}>
      <div className="hf-menu" role="group" aria-label={label}>
        {TABLE_FORMATS.map((format) => (
          <button
            key={format}
            type="button"
            className="hf-menu-item"
            onClick={(event) => {
              closePopup(event.currentTarget)
              void save(format)
            }}
          >
            {t(`ui.export.${format}`)}
          </button>
        ))}
      </div>
    </Popup>
  )
}
