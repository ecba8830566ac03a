import { TextField } from '@holdfast/ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUserInfo } from './session-context.ts'

/** Whether a text can be a code of an authenticator app. */
export const isSixDigits = (text: string): boolean => /^\d{6}$/.test(text)

type CodeFieldProps = {
  label?: string
  value: string
  error?: string | undefined
  onChange: (value: string) => void
  className?: string
}

/** The field for the six digits of an authenticator app. */
export function CodeField({ label, ...field }: CodeFieldProps) {
  const { t } = useTranslation()
  return <TextField label={label ?? t('session.secondFactor')} {...field} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
}

type SecondFactor = {
  /** Whether the person has an authenticator app, so that its code is asked for. */
  isAsked: boolean
  /** Whether nothing is missing: it is not asked for, or there are six digits. */
  isReady: boolean
  /** The same when the form is sent; from then on the field says what it lacks. */
  check: () => boolean
  /** What a call takes along. */
  given: { google_code?: string }
  field: ReactNode
}

/** The second factor of a form whose call demands it of whoever has one: its field, and what the call takes along. Who has none sees nothing of it. */
export function useSecondFactor(): SecondFactor {
  const isAsked = useUserInfo().data?.google_bind === true
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const isReady = !isAsked || isSixDigits(code)
  return {
    isAsked,
    isReady,
    check: () => {
      setTried(true)
      return isReady
    },
    given: isAsked ? { google_code: code } : {},
    field: isAsked && <CodeField value={code} onChange={setCode} error={isTried && !isReady ? t('session.password.codeShape') : undefined} />,
  }
}
