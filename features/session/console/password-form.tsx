import { Button, TextField, useTextForm } from '@holdfast/ui'
import { useApi } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { passwordLogin } from '../contract.ts'
import { CodeField, isSixDigits } from './second-factor.tsx'
import { useEnter } from './session-context.ts'
import { useAttempt } from './use-attempt.ts'

/** The second way to sign in: account, password and the six digits of an authenticator app. */
export function PasswordForm() {
  const { t } = useTranslation()
  const { client } = useApi()
  const enter = useEnter()
  const { running, attempt } = useAttempt()
  const { form, field, submit } = useTextForm({
    account: { label: t('session.password.account') },
    password: { label: t('session.password.password') },
    code: { label: t('session.password.code'), check: (value) => (isSixDigits(value) ? undefined : t('session.password.codeShape')) },
  })
  const signIn = ({ account, password, code }: { account: string; password: string; code: string }) =>
    attempt('password', async () => {
      await enter(await client.call(passwordLogin, { account, password, google_code: code }))
    })
  return (
    <form ref={form} className="hf-stack" noValidate onSubmit={(event) => submit(event, (values) => void signIn(values))}>
      <TextField {...field('account')} autoComplete="username" autoFocus maxLength={254} />
      <TextField {...field('password')} type="password" autoComplete="current-password" maxLength={256} />
      <CodeField {...field('code')} className="hf-code-input" />
      <Button type="submit" variant="primary" size="large" block loading={running !== undefined}>
        {t('session.password.signIn')}
      </Button>
    </form>
  )
}
