import { useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission, useSecondFactor } from '@holdfast/features/session/console'
import { Button, confirm, CopyButton, type Fact, Facts, Label, lazyDrawerBody, Note, RelativeTime, StatusTag, Time, type Tone, useDrawers } from '@holdfast/ui'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { decideSettings, type listMachines, saveStatus } from '../contract.ts'
import { SettingsDiff, settingWords, type WalletNames } from './settings-words.tsx'
import { TestPanel } from './test-panel.tsx'
import { algorithmOfHex, type KeyAlgorithm } from './form/read-public-key.ts'
import { wireBase } from './wire-base.ts'

export type Machine = OutputOf<typeof listMachines>['list'][number]

const CodeDrawer = lazyDrawerBody(() => import('./code-drawer.tsx').then((module) => module.CodeDrawer))
const ExamplesDrawer = lazyDrawerBody(() => import('./examples-drawer.tsx').then((module) => module.ExamplesDrawer))
const KeyCheckDrawer = lazyDrawerBody(() => import('./key-check-drawer.tsx').then((module) => module.KeyCheckDrawer))
const RemoveDrawer = lazyDrawerBody(() => import('./remove-drawer.tsx').then((module) => module.RemoveDrawer))
const TestNotificationDrawer = lazyDrawerBody(() => import('./test-notification-drawer.tsx').then((module) => module.TestNotificationDrawer))

const TONES: Record<Machine['status'], Tone> = { on: 'good', off: 'neutral', expired: 'bad', pending: 'warn' }
const BUTTON = 'hf-button hf-button-default hf-button-small'

type CardProps = { machine: Machine; wallets: WalletNames; hasOpenChange: boolean }

/** One machine: what it is, how it stands, what it may do, and what waits. */
export function MachineCard({ machine, wallets, hasOpenChange }: CardProps) {
  const { t } = useTranslation('apiPage')
  const id = useId()
  const { co_signer: link, status, pending } = machine
  return (
    <section className="hf-panel hf-stack" aria-labelledby={id}>
      <div className="hf-api-head">
        <h2 id={id}>
          <Label text={machine.name} />
        </h2>
        <StatusTag tone={TONES[status]} text={t(`api.status.${status}`)} />
        {link && <StatusTag tone={link.online ? 'good' : 'bad'} text={t(link.online ? 'api.coSigner.online' : 'api.coSigner.offline')} />}
        {pending !== 'none' && pending !== 'create' && <StatusTag tone="warn" text={t(`api.pending.${pending}`)} />}
        <span className="hf-muted hf-small">{t(`api.kind.${kindOf(machine)}`)}</span>
        <span className="hf-grow" />
        <Actions {...{ machine, hasOpenChange }} />
      </div>
      {machine.kind === 'apiRsa' && (
        <Note tone="warn" title={t('api.doorTwo.weaker')}>
          {t('api.doorTwo.weakerText')}
        </Note>
      )}
      <Facts columns={2} facts={factsOf(machine, wallets, t)} />
      {machine.rules.length > 0 && (
        <div className="hf-stack-tight">
          <span className="hf-label">{t('api.rules')}</span>
          {machine.rules.map((rule) => (
            <p key={rule.id} className="hf-api-wraps">
              {rule.sentence}
            </p>
          ))}
        </div>
      )}
      {machine.waiting.map((each) => (
        <Waiting key={each.version} machine={machine} waiting={each} wallets={wallets} />
      ))}
      {machine.key_id !== null && machine.kind === 'api' && (
        <KeyTests appId={machine.app_id} keyId={machine.key_id} algorithm={algorithmOfHex(machine.public_key)} />
      )}
      {machine.kind === 'coSigner' && pending !== 'create' && <TestPanel appId={machine.app_id} />}
    </section>
  )
}

const KINDS = ['api', 'apiRsa', 'screener'] as const
const kindOf = ({ kind }: Machine) => KINDS.find((each) => each === kind) ?? 'coSigner'

type Words = ReturnType<typeof useTranslation<'apiPage'>>['t']

function factsOf(machine: Machine, wallets: WalletNames, t: Words): (Fact | undefined)[] {
  const { settings, last_used: used, co_signer: link, key_id: keyId } = machine
  const isRsa = machine.kind === 'apiRsa'
  const copied = (text: string, label: string) => (
    <span className="hf-row-tight">
      <code translate="no">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
  return [
    { label: t('api.purpose'), value: <Label text={machine.purpose} wrap />, wide: true },
    keyId === null ? undefined : { label: t('api.keyId'), hint: t('api.keyIdHint'), value: copied(keyId, t('api.copyKeyId')), wide: true },
    {
      label: isRsa ? t('api.doorTwo.fingerprint') : t('api.publicKeyOf', { algorithm: algorithmOfHex(machine.public_key) }),
      value: copied(machine.public_key, t('api.copyPublicKey')),
      wide: true,
    },
    isRsa ? { label: t('api.doorTwo.base'), value: copied(wireBase(), t('api.doorTwo.copyBase')), wide: true } : undefined,
    machine.system_rsa === null
      ? undefined
      : {
          label: t('api.doorTwo.systemKey'),
          hint: t('api.doorTwo.systemKeyHint'),
          value: copied(machine.system_rsa, t('api.doorTwo.copySystemKey')),
          wide: true,
        },
    { label: t('api.expires'), value: <Time ms={machine.expire_at} /> },
    keyId === null
      ? undefined
      : {
          label: t('api.lastUsed'),
          value: used ? (
            <span>
              <RelativeTime ms={used.at} /> <code>{used.ip}</code>
            </span>
          ) : (
            t('api.neverUsed')
          ),
        },
    ...(settings
      ? (['permissions', 'wallets', 'addresses', 'per_minute', ...(isRsa ? (['callback'] as const) : [])] as const).map((field) => ({
          label: t(`api.settings.field.${field}`),
          value: settingWords(field, settings, wallets, t),
        }))
      : []),
    keyId !== null && !settings && machine.pending !== 'create' ? { label: t('api.settings.title'), value: t('api.settings.missing') } : undefined,
    link ? { label: t('api.coSigner.version'), value: link.version ?? '--' } : undefined,
    link ? { label: t('api.coSigner.lastSeen'), value: link.last_seen === null ? t('api.coSigner.never') : <RelativeTime ms={link.last_seen} /> } : undefined,
  ]
}

/** Tries out what a program needs beside its key: that it has the private half, and that notifications arrive. */
function KeyTests({ appId, keyId, algorithm }: { appId: string; keyId: string; algorithm: KeyAlgorithm }) {
  const { t } = useTranslation('apiPage')
  const drawers = useDrawers()
  const mayReadNotifications = usePermission('notification.read')
  const checkPair = () => drawers.push({ title: t('api.keyCheck.title'), body: <KeyCheckDrawer {...{ appId, keyId, algorithm }} /> }, { width: 900 })
  return (
    <div className="hf-row">
      <Button size="small" onClick={() => void checkPair()}>
        {t('api.keyCheck.title')}
      </Button>
      {mayReadNotifications && (
        <Button size="small" onClick={() => void drawers.push({ title: t('api.notify.title'), body: <TestNotificationDrawer /> }, { width: 900 })}>
          {t('api.notify.title')}
        </Button>
      )}
    </div>
  )
}

/** Editing, switching off and on, the log, and taking out. */
function Actions({ machine, hasOpenChange }: { machine: Machine; hasOpenChange: boolean }) {
  const { t } = useTranslation('apiPage')
  const drawers = useDrawers()
  const mayWrite = usePermission('api.write')
  const status = useSend(saveStatus)
  const { isAsked } = useSecondFactor()
  const { app_id: appId, key_id: keyId, name, settings, pending } = machine
  const query = `?app_id=${encodeURIComponent(appId)}`
  const switchOff = async () => {
    const answer = await confirm(drawers, { type: 'warning', title: t('api.off.title', { name }), content: t('api.off.text'), confirmText: t('api.off.do') })
    if (answer.outcome === 'confirm') status.mutate({ app_id: appId, status: 'off' })
  }
  const switchOn = () => {
    if (!isAsked) return status.mutate({ app_id: appId, status: 'on' })
    const body = (
      <CodeDrawer text={t('api.on.text')} action={t('api.on.do')} send={(code) => status.mutateAsync({ app_id: appId, status: 'on', google_code: code })} />
    )
    void drawers.push({ title: t('api.on.title', { name }), body })
  }
  if (pending === 'create') return null
  const waitsForOn = machine.waiting.some((each) => each.settings.is_on && !each.with_policy)
  return (
    <>
      {keyId !== null && machine.kind !== 'screener' && (
        <Button
          size="small"
          onClick={() =>
            void drawers.push(
              {
                title: t('api.examples.title'),
                body: <ExamplesDrawer keyId={keyId} systemKey={machine.system_rsa} algorithm={algorithmOfHex(machine.public_key)} />,
              },
              { width: 900 },
            )
          }
        >
          {t('api.examples.title')}
        </Button>
      )}
      {keyId !== null && (
        <Link className={BUTTON} to={`/mpc/center/wallet/api/log${query}`}>
          {t('api.log.open')}
        </Link>
      )}
      {mayWrite && (
        <Link className={BUTTON} to={`/mpc/center/wallet/api/editApi${query}`}>
          {t('api.edit')}
        </Link>
      )}
      {mayWrite && settings?.is_on === true && (
        <Button size="small" variant="danger" loading={status.isPending} onClick={() => void switchOff()}>
          {t('api.off.do')}
        </Button>
      )}
      {mayWrite && settings?.is_on === false && !waitsForOn && (
        <Button size="small" loading={status.isPending} onClick={switchOn}>
          {t('api.on.do')}
        </Button>
      )}
      {mayWrite && !hasOpenChange && (
        <Button size="small" onClick={() => void drawers.push({ title: t('api.remove.title', { name }), body: <RemoveDrawer appId={appId} /> })}>
          {t('api.remove.open')}
        </Button>
      )}
    </>
  )
}

/** Settings that wait: what they would change, and deciding it. */
function Waiting({ machine, waiting, wallets }: { machine: Machine; waiting: Machine['waiting'][number]; wallets: WalletNames }) {
  const { t } = useTranslation('apiPage')
  const drawers = useDrawers()
  const mayWrite = usePermission('api.write')
  const decide = useSend(decideSettings)
  const { isAsked } = useSecondFactor()
  const { version, with_policy: isWithPolicy, can_confirm: canConfirm, made_by: by } = waiting
  const given = { app_id: machine.app_id, version: String(version) }
  const answer = (confirmed: boolean) => {
    if (!isAsked) return decide.mutate({ ...given, confirmed })
    const action = t(confirmed ? 'api.waiting.confirm' : 'api.waiting.takeBack')
    const body = <CodeDrawer text={t('api.waiting.code')} action={action} send={(code) => decide.mutateAsync({ ...given, confirmed, google_code: code })} />
    void drawers.push({ title: t('api.waiting.title'), body })
  }
  return (
    <Note tone="warn" title={t(isWithPolicy ? 'api.waiting.withPolicy' : 'api.waiting.title')}>
      <div className="hf-stack-tight">
        <p>
          {t('api.waiting.by', { name: by ?? t('api.byKey') })} <RelativeTime ms={waiting.made_at} />
        </p>
        <SettingsDiff before={waiting.before} after={waiting.settings} wallets={wallets} />
        {mayWrite && !isWithPolicy && (
          <div className="hf-row">
            {canConfirm && (
              <Button size="small" variant="primary" loading={decide.isPending} onClick={() => answer(true)}>
                {t('api.waiting.confirm')}
              </Button>
            )}
            <Button size="small" loading={decide.isPending} onClick={() => answer(false)}>
              {t('api.waiting.takeBack')}
            </Button>
            {!canConfirm && <span className="hf-muted hf-small">{t('api.waiting.another')}</span>}
          </div>
        )}
      </div>
    </Note>
  )
}
