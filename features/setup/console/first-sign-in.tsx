import { CallError } from '@holdfast/contract'
import { loadDeviceRegistration, useEnter } from '@holdfast/features/session/console'
import { sessionErrors } from '@holdfast/features/session/errors'
import { Avatar, Button, CopyButton, useToast } from '@holdfast/ui'
import { useApi } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { demoArrival } from './demo-arrival.ts'
import type { SetupView } from './founding-progress.tsx'
import { inviteOf } from './setup-token.ts'

/** The last step: each member gets a way to sign in. In a demo, one click makes a key in this browser for all of them. */
export function FirstSignIn({ setup }: { setup: SetupView }) {
  return setup.demo ? <DemoSignIn setup={setup} /> : <SignInLinks setup={setup} />
}

function DemoSignIn({ setup }: { setup: SetupView }) {
  const { t } = useTranslation()
  const { client } = useApi()
  const enter = useEnter()
  const navigate = useNavigate()
  const toast = useToast()
  const [isRunning, setRunning] = useState(false)
  const first = setup.members[0]?.name ?? ''
  const register = async (member: SetupView['members'][number]) => {
    const invite = inviteOf(member.sign_in_url ?? '')
    if (invite === undefined) return false
    const registerDevice = await loadDeviceRegistration()
    try {
      await enter(await registerDevice(client, { invite, name: member.name, organisation: setup.name, label: t('session.device.label') }, location.origin))
      return true
    } catch (error) {
      // The key of a member who came this way before is registered already.
      if (error instanceof CallError && error.is(sessionErrors.invite_invalid)) return false
      throw error
    }
  }
  const start = async () => {
    setRunning(true)
    try {
      // The first member comes last, because every registration signs in and the last one stays.
      const signedIn = []
      for (const member of setup.members.toReversed()) signedIn.push(await register(member))
      await (signedIn.at(-1) ? navigate('/mpc/wallet', { state: demoArrival }) : navigate('/login'))
    } catch (error) {
      if (!(error instanceof CallError)) toast.error(t('setup.signIn.failed'))
    } finally {
      setRunning(false)
    }
  }
  return (
    <div className="hf-stack">
      <p className="hf-muted">{t('setup.signIn.demo', { name: first })}</p>
      <div>
        <Button variant="primary" size="large" loading={isRunning} onClick={() => void start()}>
          {t('setup.signIn.start', { name: first })}
        </Button>
      </div>
    </div>
  )
}

function SignInLinks({ setup }: { setup: SetupView }) {
  const { t } = useTranslation()
  return (
    <div className="hf-stack">
      <p className="hf-muted">{t('setup.signIn.each')}</p>
      <ul className="hf-members">
        {setup.members.map(
          (member) =>
            member.sign_in_url !== null && (
              <li key={member.person_id}>
                <Avatar name={member.name} size={28} />
                <span className="hf-grow">{member.name}</span>
                <CopyButton text={member.sign_in_url} label={t('setup.links.copyFor', { name: member.name })} showLabel />
                <a href={member.sign_in_url}>{t('setup.signIn.thisIsMe')}</a>
              </li>
            ),
        )}
      </ul>
    </div>
  )
}
