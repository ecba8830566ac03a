import '../api.css'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { useSecondFactor } from '@holdfast/features/session/console'
import { getRules } from '@holdfast/features/strategy/contract'
import { Button, Checkbox, EmptyState, ErrorState, LoadingState, Note, PageHeader, useNow } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { listMachines, saveMachine, saveSettings } from '../../contract.ts'
import type { Machine } from '../machine-card.tsx'
import { Sent } from './add-page.tsx'
import { CallsPart } from './call-fields.tsx'
import { callsOf, callsTyped, faultOfCalls, hasCalls, newCalls } from './calls-typed.ts'
import { MachineFields, SettingsFields } from './fields.tsx'
import { RuleFields } from './rule-fields.tsx'
import {
  asksFor,
  dayOf,
  draftOf,
  faultOfMachine,
  faultOfRule,
  type Kind,
  type Known,
  NEW_RULE,
  NEW_SETTINGS,
  ruleOf,
  ruleTyped,
  settingsOf,
  settingsTyped,
} from './typed.ts'

const HOME = '/mpc/center/wallet/api'
const KINDS: readonly Kind[] = ['api', 'apiRsa', 'screener']
const idOf = requestIdKeeper()

type Machines = OutputOf<typeof listMachines>

/** Changes a machine: what the policy says of it, which is proposed, and what a key may ask of the server. */
export function EditPage() {
  const { t } = useTranslation('apiPage')
  const [query] = useSearchParams()
  const rules = useEndpoint(getRules, {})
  const machines = useEndpoint(listMachines, {})
  const error = rules.error ?? machines.error
  const machine = machines.data?.list.find((each) => each.app_id === query.get('app_id') && each.pending !== 'create')
  return (
    <>
      <PageHeader title={t('api.form.edit')}>{machine?.name ?? ''}</PageHeader>
      {rules.data && machines.data ? (
        machine ? (
          <div className="hf-api-form" key={machine.app_id}>
            {machine.key_id !== null && <SettingsForm key={machine.settings_version} machine={machine} known={rules.data} />}
            <PolicyForm machine={machine} known={rules.data} machines={machines.data} />
          </div>
        ) : (
          <EmptyState title={t('api.form.gone')} action={<Link to={HOME}>{t('api.sent.back')}</Link>} />
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => void Promise.all([rules.refetch(), machines.refetch()])} />
      ) : (
        <LoadingState rows={8} />
      )}
    </>
  )
}

/** What a key may ask of the server: narrower counts at once, wider waits for a second person. */
function SettingsForm({ machine, known }: { machine: Machine; known: Known }) {
  const { t } = useTranslation('apiPage')
  const go = useNavigate()
  const second = useSecondFactor()
  const [typed, setTyped] = useState(machine.settings ? settingsTyped(machine.settings) : NEW_SETTINGS)
  const [isTried, setTried] = useState(false)
  const save = useSend(saveSettings)
  const read = settingsOf(typed, machine.settings?.is_on ?? true)
  const send = () => {
    setTried(true)
    if ('fault' in read || !second.isReady) return
    const given = { app_id: machine.app_id, base_version: String(machine.settings_version), settings: read.settings }
    save.mutate({ ...given, ...second.given }, { onSuccess: () => void go(HOME) })
  }
  return (
    <form
      className="hf-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <SettingsFields
        asks={machine.kind !== 'screener'}
        typed={typed}
        known={known}
        onChange={setTyped}
        wrong={(field) => (isTried && 'fault' in read && read.fault === field ? t(`api.fault.${field}`) : undefined)}
      />
      <Note tone="info">{t('api.form.settingsCount')}</Note>
      {second.field}
      <div className="hf-row">
        <Button type="submit" variant="primary" loading={save.isPending}>
          {t('api.form.saveSettings')}
        </Button>
      </div>
    </form>
  )
}

/** A rule that stands, to be changed or left: `other` is what was typed where that is not what stands, so that a rule that nobody touched is left as it is. */
function useStanding<T extends object>(stands: T | null | undefined, fresh: T) {
  const [start] = useState(stands ?? undefined)
  const [typed, type] = useState(start ?? fresh)
  const [isOn, toggle] = useState(false)
  const isOther = isOn && JSON.stringify(typed) !== JSON.stringify(start)
  return { stands: start !== undefined, typed, type, isOn, toggle, other: isOther ? typed : undefined }
}

/** What the policy says of a machine, and the rules that were made with it where these are to be others. */
function PolicyForm({ machine, known, machines }: { machine: Machine; known: Known; machines: Machines }) {
  const { t } = useTranslation('apiPage')
  const { t: common } = useTranslation()
  const nowMs = useNow()
  const second = useSecondFactor()
  const { name, purpose, public_key: publicKey } = machine
  const [typed, setTyped] = useState({ name, purpose, publicKey, expires: dayOf(machine.expire_at) })
  const rule = useStanding(machine.rule && ruleTyped(machine.rule, known), NEW_RULE)
  const calls = useStanding(machine.calls && callsTyped(machine.calls), newCalls(known))
  const [isTried, setTried] = useState(false)
  const save = useSend(saveMachine)
  const kind = KINDS.find((each) => each === machine.kind) ?? 'coSigner'
  const fault = faultOfMachine(typed, nowMs, kind)
  const ruleFault = rule.other && faultOfRule(rule.other)
  const callsFault = calls.other && faultOfCalls(calls.other)
  const isWhole = !fault && !ruleFault && !callsFault && second.isReady
  const send = () => {
    setTried(true)
    if (!isWhole) return
    const rules = { rule: rule.other ? ruleOf(rule.other, known) : null, calls: calls.other && callsOf(calls.other) }
    const draft = draftOf(kind, typed, machine.app_id, rules, machines.base_version)
    save.mutate({ request_id: idOf(draft), draft, ...second.given })
  }
  if (save.data) return <Sent url={save.data.approval_url} />
  const coSigners = machines.list.filter((each) => each.kind === 'coSigner' && each.pending !== 'create')
  return (
    <form
      className="hf-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <MachineFields
        kind={kind}
        typed={typed}
        onChange={setTyped}
        wrong={(field) => (isTried && fault === field ? t(`api.fault.${field}`) : undefined)}
        appId={machine.app_id}
        keys={kind === 'apiRsa' ? <Note tone="info">{t('api.doorTwo.keysStay')}</Note> : undefined}
      />
      {asksFor(kind) && (
        <Checkbox checked={rule.isOn} onChange={rule.toggle}>
          {t(rule.stands ? 'api.form.changeRule' : 'api.form.newRule')}
        </Checkbox>
      )}
      {rule.isOn && (
        <RuleFields
          typed={rule.typed}
          isSigned={kind === 'api'}
          known={known}
          coSigners={coSigners}
          onChange={rule.type}
          wrong={(field) => (isTried && ruleFault === field ? t(`api.fault.${field}`) : undefined)}
        />
      )}
      {asksFor(kind) && (
        <CallsPart
          label={t(calls.stands ? 'api.calls.change' : hasCalls(machine) ? 'api.calls.anew' : 'api.calls.may')}
          isOn={calls.isOn}
          onToggle={calls.toggle}
          {...{ typed: calls.typed, known, coSigners }}
          onChange={calls.type}
          wrong={(field) => (isTried && callsFault === field ? t(`api.fault.${field}`) : undefined)}
          lacksPermission={!machine.settings?.permissions.includes('web3.create')}
        />
      )}
      {machines.open_change && (
        <Note tone="warn" title={t('api.open.other')}>
          {t('api.open.otherText')}
        </Note>
      )}
      {second.field}
      <div className="hf-row">
        <Link className="hf-button hf-button-default hf-button-middle" to={HOME}>
          {common('ui.confirm.cancel')}
        </Link>
        <Button type="submit" loading={save.isPending} disabled={machines.open_change !== null}>
          {t('api.form.propose')}
        </Button>
      </div>
    </form>
  )
}
