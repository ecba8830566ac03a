import { CallError } from '@holdfast/contract'
import { Avatar, Button, IconKey, IconLock, lazyPart, Note, PageHeader } from '@holdfast/ui'
import { useApi } from '@holdfast/client'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionErrors } from '../errors.ts'
import { Choice } from './choice.tsx'
import { type DeviceKey, forgetDeviceKey, listDeviceKeys } from './device-keys.ts'
import { passkeysOffered } from './passkeys-offered.ts'
import { useEnter, useSession, useSessionStore } from './session-context.ts'
import { useAttempt } from './use-attempt.ts'

const PasswordForm = lazyPart(() => import('./password-form.tsx').then((module) => module.PasswordForm))

/** Every way to sign in that the server offers and this browser can do: passkey first. */
export function SignInPanel() {
  const { t } = useTranslation()
  const { client } = useApi()
  const session = useSession()
  const hasExpired = useSessionStore().hasExpired()
  const enter = useEnter()
  const { running, fault, attempt } = useAttempt()
  const [showsPassword, setShowsPassword] = useState(false)
  const methods = session?.methods ?? []
  const passkey = () =>
    attempt('passkey', async () => {
      const { signInWithPasskey } = await import('./passkey-sign-in.ts')
      await enter(await signInWithPasskey(client))
    })
  return (
    <section className="hf-auth">
      <PageHeader title={t('session.signIn.title')}>{t('session.signIn.note')}</PageHeader>
      {hasExpired && (
        <Note tone="info" title={t('session.signIn.expired')}>
          {t('session.signIn.expiredNote')}
        </Note>
      )}
      <div className="hf-stack">
        {methods.includes('passkey') && passkeysOffered() && (
          <Button variant="primary" size="large" block icon={<IconKey />} loading={running === 'passkey'} onClick={() => void passkey()}>
            {t('session.passkey.signIn')}
          </Button>
        )}
        {fault !== undefined && <Note tone="warn">{fault}</Note>}
        {methods.includes('password') && !showsPassword && (
          <Button size="large" block icon={<IconLock />} onClick={() => setShowsPassword(true)}>
            {t('session.password.open')}
          </Button>
        )}
        {showsPassword && (
          <div className="hf-auth-part">
            <PasswordForm />
          </div>
        )}
        {methods.includes('device') && <DeviceKeys />}
      </div>
      <p className="hf-auth-foot">{t('session.signIn.help')}</p>
    </section>
  )
}

function DeviceKeys() {
  const { t } = useTranslation()
  const { client } = useApi()
  const enter = useEnter()
  const { running, fault, attempt } = useAttempt()
  const [keys, setKeys] = useState<readonly DeviceKey[]>([])
  const [refused, setRefused] = useState<DeviceKey>()
  useEffect(() => void listDeviceKeys().then(setKeys), [])
  if (keys.length === 0) return null
  const use = (key: DeviceKey) =>
    attempt(key.publicKey, async () => {
      setRefused(undefined)
      const { signInWithDevice } = await import('./device-sign-in.ts')
      try {
        await enter(await signInWithDevice(client, key, location.origin))
      } catch (error) {
        if (error instanceof CallError && error.is(sessionErrors.sign_in_refused)) setRefused(key)
        throw error
      }
    })
  const forget = async (key: DeviceKey) => {
    await forgetDeviceKey(key.publicKey)
    setRefused(undefined)
    setKeys(await listDeviceKeys())
  }
  return (
    <div className="hf-auth-part">
      <h2 className="hf-auth-label" id="device-keys">
        {t('session.device.list')}
      </h2>
      <ul className="hf-choices" aria-labelledby="device-keys">
        {keys.map((key) => (
          <Choice
            key={key.publicKey}
            mark={<Avatar name={key.name} />}
            title={key.name}
            note={key.organisation}
            isRunning={running === key.publicKey}
            disabled={running !== undefined}
            onChoose={() => void use(key)}
          />
        ))}
      </ul>
      {fault !== undefined && <Note tone="warn">{fault}</Note>}
      {refused && (
        <Note tone="warn" title={t('session.device.unknown', { name: refused.name })}>
          <button type="button" className="hf-text-button" onClick={() => void forget(refused)}>
            {t('session.device.forget')}
          </button>
        </Note>
      )}
    </div>
  )
}
