import '../rules.css'
import { newRequestId } from '@holdfast/client'
import { usePermissionAnswer } from '@holdfast/features/session/console'
import { Button, EmptyState, ErrorState, LoadingState, Note, PageHeader, SelectField, TextField } from '@holdfast/ui'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { RULE_NAME_MAX, type RuleDraft, type RulesDraft } from '@holdfast/features/rule-draft/contract'
import { LiveCoverage, OpenRuleAnalysis } from '@holdfast/features/rule-analysis/console'
import { type About, type Fault, FAULTS_WHILE_TYPING, isNamed, type NamedDraft, putRule, ruleFaults } from '@holdfast/features/rule-draft/console'
import { useDraft } from '../draft/use-draft.ts'
import { type Rules, useNames, useRules } from '../draft/use-rules.ts'
import { RuleSentence } from '../words/rule-card.tsx'
import { Action } from './action.tsx'
import { Conditions } from './conditions.tsx'
import { Covers, coversOf } from './covers.tsx'
import { Limits } from './limits.tsx'
import { Choice, type FaultAt, Part } from './parts.tsx'
import { RuleChecks } from './rule-checks.tsx'
import { settledRule } from './settled-rule.ts'

const ABOUTS = ['payments', 'calls', 'stake', 'trades'] as const

/** Makes a rule, or changes one: when it decides, up to how much, and what then happens. */
export function EditorPage() {
  const { t } = useTranslation('strategyEngine')
  const [search] = useSearchParams()
  const mayWrite = usePermissionAnswer('strategy.write')
  const { rules, error, refetch } = useRules()
  const id = search.get('id')
  const about = ABOUTS.find((each) => each === search.get('about')) ?? 'payments'
  const kicker = <Link to="/mpc/strategyEngine">{t('rules.title')}</Link>
  return (
    <>
      <PageHeader title={t(id === null ? 'rules.edit.new' : 'rules.edit.change')} kicker={kicker} />
      {rules && mayWrite !== undefined ? (
        rules.view.open_change_id !== null || !mayWrite ? (
          <div className="hf-panel">
            <EmptyState title={t(mayWrite ? 'rules.edit.waits' : 'rules.edit.mayNot')} action={kicker}>
              {t(mayWrite ? 'rules.edit.waitsText' : 'rules.edit.mayNotText')}
            </EmptyState>
          </div>
        ) : (
          <Begun key={id ?? about} {...{ rules, id, about }} />
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={10} />
      )}
    </>
  )
}

function Begun({ rules, id, about }: { rules: Rules; id: string | null; about: About }) {
  const { t } = useTranslation('strategyEngine')
  const handle = useDraft(rules.base)
  const of = id ?? `new ${about}`
  const [start] = useState<NamedDraft | undefined>(() => {
    if (handle.editing?.of === of) return handle.editing.rule
    if (id !== null) return handle.draft.rules.filter(isNamed).find((each) => each.id === id)
    return newRule(about, rules)
  })
  if (start) return <Editor {...{ rules, handle, of, start }} />
  return (
    <div className="hf-panel">
      <EmptyState drawing="search" title={t('rules.detail.none')}>
        {t('rules.detail.noneText')}
      </EmptyState>
    </div>
  )
}

const newRule = (about: About, { known }: Rules): NamedDraft => ({
  kind: 'named',
  id: newRequestId(),
  name: '',
  level: 'higher',
  covers: coversOf(about, known),
  conditions: [],
  limits: [],
  action: { kind: 'approve', steps: [{ need: 1, who: [] }], may_stop: [], delay_s: 0, expire_s: 0 },
})

type EditorProps = { rules: Rules; handle: ReturnType<typeof useDraft>; of: string; start: NamedDraft }

function Editor({ rules, handle, of, start }: EditorProps) {
  const { t } = useTranslation('strategyEngine')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [rule, setRule] = useState(start)
  const [attempts, setAttempts] = useState(0)
  const names = useNames(rules.known, handle.draft)
  const faults = ruleFaults(rule, handle.draft, rules.known)
  const shown = attempts > 0 ? faults : faults.filter(({ key }) => FAULTS_WHILE_TYPING.has(key))
  const faultAt: FaultAt = (field) => {
    const fault = shown.find((each) => each.field === field)
    return fault && t(`rules.fault.${fault.key}`, fault.values ?? {})
  }
  // The first field that is wrong is where the person goes on.
  useEffect(() => {
    if (attempts === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')
    wrong?.scrollIntoView({ block: 'center' })
    wrong?.focus()
  }, [attempts])
  const isWhole = faults.length === 0
  const drafted = withRule(handle.draft, rule, rules)
  const change = (next: NamedDraft) => {
    setRule(next)
    handle.edit(of, next)
  }
  const back = () => void navigate(`/mpc/strategyEngine${rule.covers.kind === 'payments' ? '' : `?about=${rule.covers.kind}`}`)
  const cancel = () => {
    handle.stopEditing()
    back()
  }
  const save = () => {
    setAttempts((count) => count + 1)
    if (!isWhole) return
    handle.change(putRule(handle.draft, settledRule(rule), rules.aboutKept))
    back()
  }
  return (
    <form
      ref={form}
      className="hf-rule-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="hf-stack">
        <Head {...{ rule, faultAt }} isNew={start.name === ''} onChange={change} rules={rules} />
        <Covers rule={rule} known={rules.known} faultAt={faultAt} onChange={(covers) => change({ ...rule, covers })} />
        <Conditions {...{ rule, names, faultAt }} onChange={change} />
        {rule.action.kind !== 'refuse' && <Limits {...{ rule, names, faultAt }} onChange={change} />}
        <Action {...{ rule, names, faultAt }} onChange={change} />
        {attempts > 0 && !isWhole && <Wrong faults={faults} />}
        <div className="hf-rule-foot">
          <Button onClick={cancel}>{common('ui.confirm.cancel')}</Button>
          <Button variant="primary" type="submit">
            {t('rules.edit.save')}
          </Button>
        </div>
      </div>
      <aside className="hf-rule-aside" aria-label={t('rules.edit.reads')}>
        <section className="hf-panel hf-stack-tight">
          <h2>{t('rules.edit.reads')}</h2>
          <RuleSentence rule={rule} names={names} />
          <p className="hf-small hf-faint">{t('rules.edit.savedNote')}</p>
        </section>
        <RuleChecks draft={drafted} ruleId={rule.id} isWhole={isWhole} />
        <LiveCoverage draft={drafted} ruleId={rule.id} isWhole={isWhole} />
        {isWhole && (
          <div>
            <OpenRuleAnalysis draft={drafted} />
          </div>
        )}
      </aside>
    </form>
  )
}

const withRule = (draft: RulesDraft, rule: NamedDraft, { aboutKept }: Rules): RulesDraft => putRule(draft, settledRule(rule), aboutKept)

function Wrong({ faults }: { faults: readonly Fault[] }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <Note tone="bad" title={t('rules.edit.wrong', { count: faults.length })}>
      <ul className="hf-bullets">
        {[...new Set(faults.map(({ key, values }) => t(`rules.fault.${key}`, values ?? {})))].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Note>
  )
}

type HeadProps = { rule: NamedDraft; faultAt: FaultAt; isNew: boolean; rules: Rules; onChange: (rule: NamedDraft) => void }

/** How a rule is called, what it is about, and whether it is asked in order or last. */
function Head({ rule, faultAt, isNew, rules, onChange }: HeadProps) {
  const { t } = useTranslation('strategyEngine')
  const setAbout = (value: string) => {
    const about = ABOUTS.find((each) => each === value) ?? 'payments'
    const suits: RuleDraft['conditions'] =
      about === 'payments' ? rule.conditions : rule.conditions.filter(({ kind }) => ['askers', 'sources', 'times'].includes(kind))
    onChange({ ...rule, covers: coversOf(about, rules.known), conditions: suits })
  }
  return (
    <Part title={t('rules.edit.head')}>
      <div className="hf-rule-grid">
        <TextField
          label={t('rules.edit.name')}
          value={rule.name}
          onChange={(name) => onChange({ ...rule, name })}
          count={RULE_NAME_MAX}
          autoComplete="off"
          placeholder={t('rules.edit.nameExample')}
          error={faultAt('name')}
        />
        {isNew && (
          <SelectField
            label={t('rules.edit.about')}
            value={rule.covers.kind}
            options={ABOUTS.map((value) => ({ value, label: t(`rules.about.${value}`) }))}
            onChange={setAbout}
          />
        )}
      </div>
      <Choice
        name="level"
        label={t('rules.edit.level')}
        value={rule.level}
        options={(['higher', 'basic'] as const).map((value) => ({ value, label: t(`rules.level.${value}`), note: t(`rules.levelNote.${value}`) }))}
        onChange={(level) => onChange({ ...rule, level })}
      />
      {faultAt('level') !== undefined && (
        <p className="hf-field-error" role="alert">
          {faultAt('level')}
        </p>
      )}
    </Part>
  )
}
