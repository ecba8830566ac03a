import '../api.css'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { useSecondFactor } from '@holdfast/features/session/console'
import { getRules } from '@holdfast/features/strategy/contract'
import { Button, Checkbox, EmptyState, ErrorState, LoadingState, Note, PageHeader, useNow, useUnsaved } from '@holdfast/ui'
import { type Dispatch, useEffect, useReducer, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { listMachines, saveMachine, saveSettings } from '../../contract.ts'
import type { Machine } from '../machine-card.tsx'
import { Sent } from './add-page.tsx'
import { CallsPart } from './call-fields.tsx'
import { callsOf, callsTyped, faultOfCalls, hasCalls, newCalls } from './calls-typed.ts'
import { type Begun, type EditEvent, hasUnsent, isSameTyped, nextEditState, UNTOUCHED, useSeed } from './edit-state.ts'
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
          <Forms key={machine.app_id} machine={machine} known={rules.data} machines={machines.data} />
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

type FormsProps = { machine: Machine; known: Known; machines: Machines }

/** Both forms of a machine. Each follows what stands now until somebody types into it, and neither takes the input of the other along when it is sent. */
function Forms({ machine, known, machines }: FormsProps) {
  const { t } = useTranslation('apiPage')
  const go = useNavigate()
  const [state, tell] = useReducer(nextEditState, UNTOUCHED)
  const [sentUrl, setSentUrl] = useState<string>()
  const settings = useSeed({ machine, version: machine.settings_version }, state.settings)
  const policy = useSeed({ machine, version: machines.base_version }, state.policy)
  // One for both: the page is marked as a whole.
  useUnsaved(hasUnsent(state))
  useEffect(() => {
    if (state.step === 'leaving') void go(HOME)
  }, [state.step, go])
  return (
    <div className="hf-api-form">
      {machine.key_id !== null && <SettingsForm key={settings.seed.version} begun={settings} known={known} tell={tell} />}
      {state.step === 'saved' && (
        <Note tone="good" title={t('api.form.saved')}>
          {t('api.form.savedText')}
        </Note>
      )}
      {sentUrl === undefined ? (
        <PolicyForm key={policy.seed.version} begun={policy} {...{ machine, known, machines, tell }} onSent={setSentUrl} />
      ) : (
        <Sent url={sentUrl} />
      )}
    </div>
  )
}

/** Says that something else stands by now than what a form with input began with, and begins it again from that. */
function Past({ restart }: Pick<Begun, 'restart'>) {
  const { t } = useTranslation('apiPage')
  return (
    <Note tone="warn" title={t('api.form.past')}>
      <p>{t('api.form.pastText')}</p>
      <Button size="small" onClick={restart}>
        {t('api.form.restart')}
      </Button>
    </Note>
  )
}

/** Tells the page whether a form has input that was not sent. */
function useTold(tell: Dispatch<EditEvent>, form: 'settings' | 'policy', isUnsent: boolean): void {
  useEffect(() => {
    tell({ form, isUnsent })
    return () => tell({ form, isUnsent: false })
  }, [tell, form, isUnsent])
}

/** What a key may ask of the server: narrower counts at once, wider waits for a second person. */
function SettingsForm({ begun, known, tell }: { begun: Begun; known: Known; tell: Dispatch<EditEvent> }) {
  const { t } = useTranslation('apiPage')
  const second = useSecondFactor()
  const { machine, version } = begun.seed
  const [saved, setSaved] = useState(machine.settings ? settingsTyped(machine.settings) : NEW_SETTINGS)
  const [typed, setTyped] = useState(saved)
  const [isTried, setTried] = useState(false)
  const save = useSend(saveSettings)
  useTold(tell, 'settings', save.isPending || !isSameTyped(typed, saved))
  const read = settingsOf(typed, machine.settings?.is_on ?? true)
  const send = () => {
    setTried(true)
    if ('fault' in read || !second.isReady) return
    const given = { app_id: machine.app_id, base_version: String(version), settings: read.settings }
    const onSuccess = () => {
      setSaved(typed)
      tell('settingsSaved')
    }
    save.mutate({ ...given, ...second.given }, { onSuccess })
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
      {begun.isPast && !save.isPending && <Past restart={begun.restart} />}
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
  const isOther = isOn && !isSameTyped(typed, start)
  return { stands: start !== undefined, typed, type, isOn, toggle, other: isOther ? typed : undefined }
}

type PolicyFormProps = FormsProps & { begun: Begun; tell: Dispatch<EditEvent>; onSent: (url: string) => void }

/** What the policy says of a machine, and the rules that were made with it where these are to be others. */
function PolicyForm({ begun, machine, known, machines, tell, onSent }: PolicyFormProps) {
  const { t } = useTranslation('apiPage')
  const { t: common } = useTranslation()
  const nowMs = useNow()
  const second = useSecondFactor()
  const { seed } = begun
  const { name, purpose, public_key: publicKey, expire_at: expiresAt } = seed.machine
  const [start] = useState({ name, purpose, publicKey, expires: dayOf(expiresAt) })
  const [typed, setTyped] = useState(start)
  const rule = useStanding(seed.machine.rule && ruleTyped(seed.machine.rule, known), NEW_RULE)
  const calls = useStanding(seed.machine.calls && callsTyped(seed.machine.calls), newCalls(known))
  const [isTried, setTried] = useState(false)
  const save = useSend(saveMachine)
  useTold(tell, 'policy', save.isPending || !isSameTyped(typed, start) || rule.other !== undefined || calls.other !== undefined)
  const kind = KINDS.find((each) => each === machine.kind) ?? 'coSigner'
  const fault = faultOfMachine(typed, nowMs, kind)
  const ruleFault = rule.other && faultOfRule(rule.other)
  const callsFault = calls.other && faultOfCalls(calls.other)
  const isWhole = !fault && !ruleFault && !callsFault && second.isReady
  const send = () => {
    setTried(true)
    if (!isWhole) return
    const rules = { rule: rule.other ? ruleOf(rule.other, known) : null, calls: calls.other && callsOf(calls.other) }
    const draft = draftOf(kind, typed, machine.app_id, rules, seed.version)
    save.mutate({ request_id: idOf(draft), draft, ...second.given }, { onSuccess: ({ approval_url: url }) => onSent(url) })
  }
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
      {begun.isPast && !save.isPending && <Past restart={begun.restart} />}
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
