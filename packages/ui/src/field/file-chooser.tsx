import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconUpload } from '../base/icons.tsx'

type FileChooserProps = {
  id?: string
  /** Which files the browser offers, such as ".csv,.xlsx". */
  accept: string
  /** The file that was chosen or dropped, or undefined where none is chosen any more. */
  onFile: (file: File | undefined) => void
  /** The file cannot be taken. */
  isWrong?: boolean
  disabled?: boolean
  /** What says more about the file that is wanted. */
  describedBy?: string
}

/**
 * A place where a file is chosen or dropped, with the name of the file that is there. The browser's own field lies over it unseen, because it would speak the
 * browser's language and not the console's.
 */
export function FileChooser({ id, accept, onFile, isWrong = false, disabled = false, describedBy }: FileChooserProps) {
  const { t } = useTranslation()
  const [name, setName] = useState<string>()
  const take = (file: File | undefined) => {
    setName(file?.name)
    onFile(file)
  }
  return (
    <span className="hf-file" data-wrong={isWrong || undefined}>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy}
        disabled={disabled}
        onClick={(event) => {
          // Whoever chooses anew lets go of what was chosen: the same file, mended meanwhile, can be chosen again.
          event.currentTarget.value = ''
          take(undefined)
        }}
        onChange={(event) => take(event.target.files?.[0])}
      />
      <span className="hf-file-choose" aria-hidden="true">
        <IconUpload />
        {t('ui.file.choose')}
      </span>
      <span className={name === undefined ? 'hf-muted' : 'hf-file-name'}>{name ?? t('ui.file.drop')}</span>
    </span>
  )
}
