import './team.css'
import { CallError, type OutputOf } from '@holdfast/contract'
import { addPasskey } from '@holdfast/features/session/console'
import { listMethods, removeMethod } from '@holdfast/features/session/contract'
import { Button, confirm, ErrorState, IconPlus, Label, LoadingState, RelativeTime, Time, useDrawers, useToast } from '@holdfast/ui'
import { useApi, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { OwnSessions } from './own-sessions.tsx'

type Method = OutputOf<typeof listMethods>[number]

/** How the reader signs in, where they are signed in, and the way to the history of it. */
export function OwnSignIn() {
  const { t } = useTranslation('teamMember')
  return (
    <div className="hf-stack-wide">
      <OwnMethods />
      <OwnSessions />
      <p>
        <Link to="/mpc/loginHistory">{t('own.history')}</Link>
      </p>
    </div>
  )
}

function OwnMethods() {
  const { t } = useTranslation('teamMember')
  const { data, error, refetch } = useEndpoint(listMethods, {})
  return (
    <section className="hf-panel hf-stack" aria-labelledby="own-methods">
      <div className="hf-section-head">
        <h2 id="own-methods">{t('own.methods')}</h2>
        <AddPasskey onAdded={() => void refetch()} />
      </div>
      <p className="hf-muted">{t('own.methodsNote')}</p>
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={2} />)}
      <ul className="hf-sessions">
        {data?.map((method) => (
          <li key={method.method_id}>
            <span>
              <span className="hf-row-tight">
                {t(`way.${method.kind}`)} <Label text={method.label} />
              </span>
              <span className="hf-small hf-muted">
                {t('own.added')} <Time ms={method.created_at} /> · {t('own.used')}{' '}
                {method.last_used_at === null ? t('own.never') : <RelativeTime ms={method.last_used_at} />}
              </span>
            </span>
            {data.length > 1 && <Remove method={method} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Makes a passkey on this device for whoever is signed in. */
function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const { t } = useTranslation('teamMember')
  const { client } = useApi()
  const toast = useToast()
  const [isAdding, setAdding] = useState(false)
  const add = async () => {
    setAdding(true)
    try {
      await addPasskey(client, t('own.passkeyName'))
      toast.success(t('own.passkeyAdded'))
      onAdded()
    } catch (cause) {
      // The person, or their device, said no: there is nothing to mend. What the server refuses, it says itself.
      if (!(cause instanceof CallError)) toast.error(t('own.passkeyNot'))
    } finally {
      setAdding(false)
    }
  }
  return (
    <Button size="small" icon={<IconPlus />} loading={isAdding} onClick={() => void add()}>
      {t('own.addPasskey')}
    </Button>
  )
}

function Remove({ method }: { method: Method }) {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const send = useSend(removeMethod)
  const name = `${t(`way.${method.kind}`)}: ${method.label}`
  const ask = async () => {
    const answer = await confirm(drawers, { type: 'remove', title: t('own.removeTitle', { name }), content: t('own.removeText'), confirmText: t('own.remove') })
    if (answer.outcome === 'confirm') send.mutate({ method_id: method.method_id })
  }
  return (
    <Button size="small" label={t('own.removeNamed', { name })} loading={send.isPending} onClick={() => void ask()}>
      {t('own.remove')}
    </Button>
  )
}
