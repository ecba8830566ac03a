import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileChooser } from './file-chooser.tsx'

export type FileFieldProps = {
  label: string
  /** Which files the browser offers, such as ".csv,.xlsx". */
  accept: string
  /** The most bytes that are taken. */
  bytesMax: number
  /** A file that may be sent, or undefined where there is none. */
  onFile: (file: File | undefined) => void
  /** How much of the file has been sent, from 0 to 1; absent while nothing is sent. */
  sent?: number | undefined
}

/** Bytes as people count them: one digit after the point from a mebibyte on. */
const sizeText = (bytes: number) => (bytes < 1 << 20 ? `${Math.max(1, Math.ceil(bytes / 1024))} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`)

/** A file to hand in. One that is empty or too large is refused before anything is sent; while it is sent, a bar shows how far it is. */
export function FileField({ label, accept, bytesMax, onFile, sent }: FileFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const [fault, setFault] = useState<'empty' | 'large'>()
  const take = (file: File | undefined) => {
    const found = file && (file.size === 0 ? 'empty' : file.size > bytesMax ? 'large' : undefined)
    setFault(found)
    onFile(found ? undefined : file)
  }
  return (
    <div className="hf-stack-tight">
      <label className="hf-label" htmlFor={id}>
        {label}
      </label>
      <FileChooser id={id} accept={accept} isWrong={fault !== undefined} describedBy={`${id}-note`} disabled={sent !== undefined} onFile={take} />
      <p id={`${id}-note`} className={fault ? 'hf-field-error' : 'hf-muted'} aria-live="polite">
        {fault ? t(`ui.file.${fault}`, { size: sizeText(bytesMax) }) : t('ui.file.limit', { size: sizeText(bytesMax) })}
      </p>
      {sent !== undefined && <progress aria-label={t('ui.file.sending')} value={sent} max={1} className="hf-file-progress" />}
    </div>
  )
}
