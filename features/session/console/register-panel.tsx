import type { OutputOf } from '@holdfast/contract'
import { Button, IconDevice, IconKey, IconLock, lazyPart, LoadingState, Note, PageHeader } from '@holdfast/ui'
import { useApi } from '@holdfast/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getInvite } from '../contract.ts'
import { Choice } from './choice.tsx'
import { passkeysOffered } from './passkeys-offered.ts'
import { useEnter, useSession } from './session-context.ts'
import type { SignedIn } from './session-store.ts'
import { useAttempt } from './use-attempt.ts'

const RegisterPassword = lazyPart(() => import('./register-password.tsx').then((module) => module.RegisterPassword), <LoadingState />)

type Invite = OutputOf<typeof getInvite>
type RegisterProps = { invite: string; onEntered: () => void; onGiveUp: () => void }

/** Where an invited person chooses their first way to sign in. */
export function RegisterPanel({ invite, onEntered, onGiveUp }: RegisterProps) {
  const { t } = useTranslation()
  const { client } = useApi()
  const { data, isError } = useQuery({
    queryKey: [getInvite.path, invite],
    queryFn: () => client.call(getInvite, { invite }, { shows: () => true }),
    retry: false,
    staleTime: Infinity,
  })
  if (isError) {
    return (
      <section className="hf-auth">
        <PageHeader title={t('session.invite.invalidTitle')}>{t('session.invite.invalidNote')}</PageHeader>
        <Button size="large" block onClick={onGiveUp}>
          {t('session.invite.toSignIn')}
        </Button>
      </section>
    )
  }
  if (!data)
    return (
      <section className="hf-auth">
        <LoadingState />
      </section>
    )
  return (
    <section className="hf-auth">
      <PageHeader title={t('session.invite.title', { name: data.name })}>{t('session.invite.note', { organisation: data.organisation_name })}</PageHeader>
      <Ways invite={invite} owner={data} onEntered={onEntered} />
    </section>
  )
}

function Ways({ invite, owner, onEntered }: { invite: string; owner: Invite; onEntered: () => void }) {
  const { t } = useTranslation()
  const { client } = useApi()
  const session = useSession()
  const enter = useEnter()
  const { running, fault, attempt } = useAttempt()
  const [choosesPassword, setChoosesPassword] = useState(false)
  const methods = (session?.methods ?? []).filter((each) => each !== 'passkey' || passkeysOffered())
  const take = async (result: SignedIn) => {
    await enter(result)
    onEntered()
  }
  const passkey = () =>
    attempt('passkey', async () => {
      const { registerPasskey } = await import('./passkey-sign-in.ts')
      await take(await registerPasskey(client, invite, t('session.passkey.label')))
    })
  const device = () =>
    attempt('device', async () => {
      const { registerDevice } = await import('./device-sign-in.ts')
      await take(
        await registerDevice(client, { invite, name: owner.name, organisation: owner.organisation_name, label: t('session.device.label') }, location.origin),
      )
    })
  if (choosesPassword) {
    return <RegisterPassword invite={invite} onRegistered={take} onBack={() => setChoosesPassword(false)} />
  }
  const ways = [
    { key: 'passkey', icon: <IconKey />, choose: () => void passkey() },
    { key: 'password', icon: <IconLock />, choose: () => setChoosesPassword(true) },
    { key: 'device', icon: <IconDevice />, choose: () => void device() },
  ] as const
  return (
    <div className="hf-stack">
      <ul className="hf-choices">
        {ways
          .filter(({ key }) => methods.includes(key))
          .map(({ key, icon, choose }) => (
            <Choice
              key={key}
              mark={<span className="hf-choice-icon">{icon}</span>}
              title={t(`session.way.${key}.title`)}
              note={t(`session.way.${key}.note`)}
              isRunning={running === key}
              disabled={running !== undefined}
              onChoose={choose}
            />
          ))}
      </ul>
      {fault !== undefined && <Note tone="warn">{fault}</Note>}
      <p className="hf-auth-foot">{t('session.invite.separate')}</p>
    </div>
  )
}
