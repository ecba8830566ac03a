import { useTranslation } from 'react-i18next'
import { CopyButton } from './copy-button.tsx'

/** A command line to be run elsewhere, with a button that copies it. */
export function Command({ line }: { line: string }) {
  const { t } = useTranslation()
  return (
    <div className="hf-command">
      <code translate="no">{line}</code>
      <CopyButton text={line} label={t('ui.copy.command')} />
    </div>
  )
}
