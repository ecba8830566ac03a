import { CallError } from '@holdfast/contract'
import { Button, CopyButton, ErrorState, Grouped, LoadingState, Note, Qr, TextField, useTextForm } from '@holdfast/ui'
import { useApi } from '@holdfast/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordRegister, passwordRegisterOptions } from '../contract.ts'
import { sessionErrors } from '../errors.ts'
import { CodeField, isSixDigits } from './second-factor.tsx'
import type { SignedIn } from './session-store.ts'
import { useAttempt } from './use-attempt.ts'

type RegisterProps = { invite: string; onRegistered: (result: SignedIn) => Promise<void>; onBack: () => void }

const SHORTEST_PASSWORD = 12

/** Registers a password together with its authenticator app, which a first code proves. */
export function RegisterPassword({ invite, onRegistered, onBack }: RegisterProps) {
  const { t } = useTranslation()
  const { client } = useApi()
  const { running, attempt } = useAttempt()
  const [isNewSecret, setNewSecret] = useState(false)
  const options = useQuery({
    queryKey: [passwordRegisterOptions.path, invite],
    queryFn: () => client.call(passwordRegisterOptions, { invite }, { shows: () => true }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    // A change of language asks everything again; a secret that was scanned must stay.
    enabled: (query) => query.state.data === undefined,
  })
  const { form, field, submit } = useTextForm({
    password: { label: t('session.password.new'), check: (value) => ([...value].length < SHORTEST_PASSWORD ? t('session.password.rule') : undefined) },
    again: { label: t('session.password.again'), check: (value, all) => (value === all.password ? undefined : t('session.password.differs')) },
    code: { label: t('session.password.code'), check: (value) => (isSixDigits(value) ? undefined : t('session.password.codeShape')) },
  })
  if (options.isError) return <ErrorState error={options.error} onRetry={() => void options.refetch()} />
  if (!options.data) return <LoadingState />
  const { challenge_id: challengeId, account, totp_secret: secret, otpauth_uri: uri } = options.data
  const register = ({ password, code }: { password: string; code: string }) =>
    attempt('password', async () => {
      try {
        await onRegistered(await client.call(passwordRegister, { invite, challenge_id: challengeId, password, google_code: code }))
      } catch (error) {
        // A wrong code uses the challenge up, and with it the secret: there is another one to scan.
        if (error instanceof CallError && (error.is(sessionErrors.totp_refused) || error.is(sessionErrors.challenge_expired))) {
          setNewSecret(true)
          void options.refetch()
        }
        throw error
      }
    })
  return (
    <form ref={form} className="hf-stack" noValidate onSubmit={(event) => submit(event, (values) => void register(values))}>
      <div className="hf-field">
        <span className="hf-label">{t('session.password.account')}</span>
        <input className="hf-native-input" value={account} readOnly autoComplete="username" aria-label={t('session.password.account')} />
      </div>
      <TextField {...field('password')} type="password" autoComplete="new-password" autoFocus maxLength={256} hint={t('session.password.rule')} />
      <TextField {...field('again')} type="password" autoComplete="new-password" maxLength={256} />
      {isNewSecret && <Note tone="warn">{t('session.totp.again')}</Note>}
      <AuthenticatorSecret uri={uri} secret={secret} />
      <CodeField {...field('code')} className="hf-code-input" />
      <div className="hf-stack-tight">
        <Button type="submit" variant="primary" size="large" block loading={running !== undefined}>
          {t('session.password.register')}
        </Button>
        <Button variant="quiet" block onClick={onBack}>
          {t('session.invite.otherWay')}
        </Button>
      </div>
    </form>
  )
}

function AuthenticatorSecret({ uri, secret }: { uri: string; secret: string }) {
  const { t } = useTranslation()
  return (
    <div className="hf-totp">
      <Qr text={uri} label={t('session.totp.qr')} size={148} />
      <div className="hf-stack-tight">
        <p>{t('session.totp.scan')}</p>
        <p className="hf-small hf-muted">{t('session.totp.type')}</p>
        <span className="hf-address">
          <Grouped text={secret} />
          <CopyButton text={secret} label={t('session.totp.copy')} />
        </span>
      </div>
    </div>
  )
}
