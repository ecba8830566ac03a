import { browserPorts } from '@holdfast/ports/browser'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'
import { IconCheck, IconCopy } from '../base/icons.tsx'
import { useToast } from '../feedback/toast.tsx'

const SHOWS_DONE_MS = 2_000

type CopyButtonProps = {
  /** What is copied: exact, without spaces or separators. */
  text: string
  /** What the button does, for those who cannot see it. */
  label: string
  /** What is said afterwards; "Copied" where absent. */
  message?: string
  /** The message warns and is shown as an error. */
  isWarning?: boolean
  /** Shows the label beside the icon. */
  showLabel?: boolean
}

/** Copies a text and says so. */
export function CopyButton({ text, label, message, isWarning, showLabel }: CopyButtonProps) {
  const spoken = plainText(label, LABEL_LIMIT)
  const toast = useToast()
  const { t } = useTranslation()
  const [isDone, setDone] = useState(false)
  useEffect(() => (isDone ? browserPorts.timer.after(SHOWS_DONE_MS, () => setDone(false)) : undefined), [isDone])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      if (isWarning) toast.error(message ?? t('ui.copy.done'), 'copy')
      else toast.success(message ?? t('ui.copy.done'), 'copy')
    } catch {
      toast.error(t('ui.copy.failed'), 'copy')
    }
  }
  return (
    <button
      type="button"
      className={showLabel ? 'hf-copy hf-copy-labelled' : 'hf-copy hf-icon-button'}
      aria-label={spoken}
      title={spoken}
      onClick={() => void copy()}
    >
      {isDone ? <IconCheck className="hf-copy-done" /> : <IconCopy />}
      {showLabel && <span>{label}</span>}
    </button>
  )
}
