import { TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

export function isCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** The six digits of the authenticator app, for changes that need them. */
export function CodeField({ value, onChange, error }: { value: string; onChange: (value: string) => void; error: string | undefined }) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('notification.form.code')}
      value={value}
      onChange={onChange}
      error={error}
      hint={t('notification.form.codeHint')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
    />
  )
}
