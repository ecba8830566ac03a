import '../api.css'
import { newRequestId, requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { getRules } from '@holdfast/features/strategy/contract'
import { Button, ErrorState, LoadingState, Note, PageHeader, useNow } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { listMachines, saveMachine } from '../../contract.ts'
import { CallsPart } from './call-fields.tsx'
import { callsOf, faultOfCalls, newCalls } from './calls-typed.ts'
import { DoorTwoFields } from './door-two-fields.tsx'
import { MachineFields, SettingsFields } from './fields.tsx'
import { RuleFields } from './rule-fields.tsx'
import {
  appIdFor,
  asksFor,
  draftOf,
  faultOfMachine,
  faultOfRule,
  type Kind,
  type Known,
  NEW_RULE,
  NEW_SETTINGS,
  newMachine,
  NO_RSA_KEYS,
  ruleOf,
  SCREENER_PERMISSIONS,
  settingsOf,
  withCalls,
} from './typed.ts'

const HOME = '/mpc/center/wallet/api'
const idOf = requestIdKeeper()

const KINDS: readonly Kind[] = ['api', 'apiRsa', 'coSigner', 'screener']

type Machines = OutputOf<typeof listMachines>

const TITLES = {
  api: { title: 'api.addKey', lead: 'api.form.leadKey' },
  apiRsa: { title: 'api.doorTwo.add', lead: 'api.doorTwo.lead' },
  coSigner: { title: 'api.addCoSigner', lead: 'api.form.leadCoSigner' },
  screener: { title: 'api.addScreener', lead: 'api.form.leadScreener' },
} as const

/** Proposes an API key with its rule, a co-signer, or a screener. */
export function AddPage() {
  const { t } = useTranslation('apiPage')
  const [query] = useSearchParams()
  const kind = KINDS.find((each) => each === query.get('kind')) ?? 'api'
  const rules = useEndpoint(getRules, {})
  const machines = useEndpoint(listMachines, {})
  const error = rules.error ?? machines.error
  return (
    <>
      <PageHeader title={t(TITLES[kind].title)}>{t(TITLES[kind].lead)}</PageHeader>
      {rules.data && machines.data ? (
        <Form key={kind} kind={kind} known={rules.data} machines={machines.data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void Promise.all([rules.refetch(), machines.refetch()])} />
      ) : (
        <LoadingState rows={8} />
      )}
    </>
  )
}

function Form({ kind, known, machines }: { kind: Kind; known: Known; machines: Machines }) {
  const { t } = useTranslation('apiPage')
  const { t: common } = useTranslation()
  const nowMs = useNow()
  const second = useSecondFactor()
  const [machine, setMachine] = useState(() => newMachine(nowMs, kind))
  const [settings, setSettings] = useState({
    ...NEW_SETTINGS,
    ...(kind === 'screener' && { permissions: SCREENER_PERMISSIONS }),
    doorTwo: kind === 'apiRsa' ? NO_RSA_KEYS : null,
  })
  const [rule, setRule] = useState(NEW_RULE)
  const [calls, setCalls] = useState(() => newCalls(known))
  const [isCalling, setCalling] = useState(false)
  const [ownId, setOwnId] = useState<string>()
  const [unlike] = useState(() => newRequestId())
  const [isTried, setTried] = useState(false)
  const save = useSend(saveMachine)
  const taken = machines.list.map((each) => each.app_id)
  const appId = ownId ?? appIdFor(machine.name, taken, unlike)
  const isIdWrong = !/^[\w-]{1,48}$/.test(appId) || taken.includes(appId)
  const hasSettings = kind !== 'coSigner'
  const asks = asksFor(kind)
  const read = settingsOf(settings, true)
  const faults = {
    machine: faultOfMachine(machine, nowMs, kind),
    settings: hasSettings && 'fault' in read ? read.fault : undefined,
    rule: asks ? faultOfRule(rule) : undefined,
    calls: isCalling ? faultOfCalls(calls) : undefined,
  }
  const isWhole = !isIdWrong && !faults.machine && !faults.settings && !faults.rule && !faults.calls && second.isReady
  const wrong =
    <Part extends keyof typeof faults>(part: Part) =>
    (field: NonNullable<(typeof faults)[Part]>) =>
      isTried && faults[part] === field ? t(`api.fault.${field as 'name'}`) : undefined
  const send = () => {
    setTried(true)
    if (!isWhole) return
    const rules = { rule: asks ? ruleOf(rule, known) : null, calls: isCalling ? callsOf(calls) : undefined }
    const draft = draftOf(kind, machine, appId, rules, machines.base_version)
    const given = { draft, ...('settings' in read && hasSettings && { settings: read.settings }) }
    save.mutate({ request_id: idOf(given), ...given, ...second.given })
  }
  if (save.data) return <Sent url={save.data.approval_url} />
  const coSigners = machines.list.filter((each) => each.kind === 'coSigner' && each.pending !== 'create')
  return (
    <form
      className="hf-api-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {machines.open_change && (
        <Note tone="warn" title={t('api.open.other')}>
          <p>{t('api.open.otherText')}</p>
          <ApprovalLink href={machines.open_change.approval_url}>{t('api.open.decide')}</ApprovalLink>
        </Note>
      )}
      <MachineFields
        kind={kind}
        typed={machine}
        onChange={setMachine}
        wrong={wrong('machine')}
        appId={appId}
        onAppId={setOwnId}
        idFault={isTried && isIdWrong ? t('api.fault.id') : undefined}
        keys={
          kind === 'apiRsa' ? (
            <DoorTwoFields
              value={settings.doorTwo}
              onChange={(doorTwo, publicKey) => {
                setSettings({ ...settings, doorTwo })
                setMachine({ ...machine, publicKey })
              }}
              error={isTried && faults.machine === 'publicKey' ? t('api.doorTwo.keyFault') : undefined}
            />
          ) : undefined
        }
      />
      {hasSettings && <SettingsFields asks={asks} typed={settings} known={known} onChange={setSettings} wrong={wrong('settings')} />}
      {asks && <RuleFields typed={rule} isSigned={kind === 'api'} known={known} coSigners={coSigners} onChange={setRule} wrong={wrong('rule')} />}
      {asks && (
        <CallsPart
          label={t('api.calls.may')}
          isOn={isCalling}
          onToggle={(isOn) => {
            setCalling(isOn)
            setSettings(withCalls(settings, isOn))
          }}
          {...{ typed: calls, known, coSigners }}
          onChange={setCalls}
          wrong={wrong('calls')}
          lacksPermission={!settings.permissions.includes('web3.create')}
        />
      )}
      {second.field}
      {isTried && !isWhole && <Note tone="bad">{t('api.form.notYet')}</Note>}
      <div className="hf-row">
        <Link className="hf-button hf-button-default hf-button-middle" to={HOME}>
          {common('ui.confirm.cancel')}
        </Link>
        <Button variant="primary" type="submit" loading={save.isPending} disabled={machines.open_change !== null}>
          {t('api.form.propose')}
        </Button>
      </div>
    </form>
  )
}

/** What was proposed waits at the approval page. */
export function Sent({ url }: { url: string }) {
  const { t } = useTranslation('apiPage')
  return (
    <div className="hf-panel hf-stack">
      <Note tone="good" title={t('api.sent.title')}>
        {t('api.sent.text')}
      </Note>
      <div className="hf-row">
        <ApprovalLink href={url}>{t('api.open.decide')}</ApprovalLink>
        <Link className="hf-button hf-button-default hf-button-middle" to={HOME}>
          {t('api.sent.back')}
        </Link>
      </div>
    </div>
  )
}
