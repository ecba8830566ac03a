import { Button, Label, Note, SelectField, TextField, useEndpoint } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallRuleDraft, listAddableAssets, type PolicyDraft } from '../contract.ts'
import type { PolicyView } from './draft.ts'

type AdditionsProps = { policy: PolicyView; draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }

/** Assets that the policy is to name from now on: each as the server lists it, beside what its contract says of itself. */
export function DraftAssets({ draft, onChange }: Omit<AdditionsProps, 'policy'>) {
  const { t } = useTranslation('strategyEngine')
  const { data } = useEndpoint(listAddableAssets, {})
  if (!data || data.length === 0) return null
  const isAdded = (chain: string, contract: string) => draft.add_assets.some((each) => each.chain === chain && each.contract === contract)
  return (
    <fieldset className="hf-fieldset">
      <legend>{t('assets.title')}</legend>
      <p className="hf-small hf-muted">{t('assets.note')}</p>
      {data.map(({ chain, contract, network, symbol, decimals, on_chain: told }) => {
        const rest = draft.add_assets.filter((each) => each.chain !== chain || each.contract !== contract)
        const differs = told !== null && (told.symbol !== symbol || told.decimals !== decimals)
        return (
          <label key={`${chain} ${contract}`} className="hf-draft-key">
            <input
              type="checkbox"
              className="hf-tick"
              checked={isAdded(chain, contract)}
              onChange={(event) => onChange({ ...draft, add_assets: event.target.checked ? [...rest, { chain, contract }] : rest })}
            />
            <span>
              <Label text={t('assets.one', { symbol, network, decimals })} />
              {contract !== '' && <code className="hf-break">{contract}</code>}
              {differs && <Note tone="bad">{t('assets.differs', { symbol: told.symbol, decimals: told.decimals })}</Note>}
              {contract !== '' && told === null && <span className="hf-small hf-faint"> {t('assets.silent')}</span>}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** Rules for calls that are new or are to end. A new one asks the people of the first rule; who they are is chosen there. */
export function DraftCallRules({ policy, draft, onChange }: AdditionsProps) {
  const { t } = useTranslation('strategyEngine')
  return (
    <fieldset className="hf-fieldset">
      <legend>{t('calls.title')}</legend>
      <p className="hf-small hf-muted">{t('calls.note')}</p>
      <DropRules kind="call" policy={policy} draft={draft} onChange={onChange} />
      {draft.add_call_rules.map((rule) => (
        <p key={rule.id} className="hf-spread">
          <Label text={t('calls.added', { id: rule.id, contracts: rule.contracts.join(', ') })} wrap />
          <Button size="small" onClick={() => onChange({ ...draft, add_call_rules: draft.add_call_rules.filter((each) => each.id !== rule.id) })}>
            {t('calls.remove')}
          </Button>
        </p>
      ))}
      <details>
        <summary>{t('calls.add')}</summary>
        <CallRuleForm
          policy={policy}
          onAdd={(rule) => onChange({ ...draft, add_call_rules: [...draft.add_call_rules.filter((each) => each.id !== rule.id), rule] })}
        />
      </details>
    </fieldset>
  )
}

/** The rules of a kind that are there, each with a tick to end it. */
export function DropRules({ kind, policy, draft, onChange }: AdditionsProps & { kind: 'call' | 'stake' }) {
  const { t } = useTranslation('strategyEngine')
  const isDropped = (id: string) => draft.drop_rules.includes(id)
  const toggled = (id: string) => (isDropped(id) ? draft.drop_rules.filter((each) => each !== id) : [...draft.drop_rules, id])
  return policy.rules
    .filter((rule) => rule.kind === kind)
    .map(({ id, covers }) => (
      <label key={id} className="hf-draft-key">
        <input type="checkbox" className="hf-tick" checked={isDropped(id)} onChange={() => onChange({ ...draft, drop_rules: toggled(id) })} />
        <Label text={t('calls.drop', { id, calls: covers })} wrap />
      </label>
    ))
}

const EMPTY = { id: '', chain: '', contracts: '', functions: '', payers: '', value: '0', hours: '', total: '', unlimited: false, unknown: false }

const VALUE = /^\d{1,30}(\.\d{1,36})?$/

/** The limit for several hours as it is typed: null where nothing is, undefined where it is not whole. */
function windowOf({ hours, total }: { hours: string; total: string }): CallRuleDraft['window'] | undefined {
  if (hours.trim() === '' && total.trim() === '') return null
  return /^[1-9]\d{0,3}$/.test(hours.trim()) && VALUE.test(total.trim()) ? { hours: Number(hours), max_value: total.trim() } : undefined
}

/** Lines of a text, without what is empty. */
export const linesOf = (text: string) => text.split(/\s+/).filter((line) => line !== '')

function CallRuleForm({ policy, onAdd }: { policy: PolicyView; onAdd: (rule: CallRuleDraft) => void }) {
  const { t } = useTranslation('strategyEngine')
  const [typed, setTyped] = useState(EMPTY)
  const change = (next: Partial<typeof EMPTY>) => setTyped((before) => ({ ...before, ...next }))
  const chains = policy.networks
  const chain = typed.chain || (chains[0]?.chain ?? '')
  const people = policy.rules[0]
  const contracts = linesOf(typed.contracts)
  const window = windowOf(typed)
  const isWhole = typed.id.trim() !== '' && contracts.length > 0 && people !== undefined && VALUE.test(typed.value) && window !== undefined
  const add = () => {
    if (!isWhole) return
    onAdd({
      id: typed.id.trim(),
      chain,
      payers: linesOf(typed.payers),
      contracts,
      functions: linesOf(typed.functions),
      max_value: typed.value,
      window,
      unlimited_allowances: typed.unlimited,
      unknown_call_data: typed.unknown,
      initiators: people.initiators.map((each) => each.person_id),
      approvers: people.approvers.map((each) => each.person_id),
      threshold: people.threshold,
    })
    setTyped(EMPTY)
  }
  return (
    <div className="hf-stack">
      <TextField label={t('calls.name')} value={typed.id} onChange={(id) => change({ id })} maxLength={40} autoComplete="off" />
      <SelectField
        label={t('calls.network')}
        value={chain}
        options={chains.map((each) => ({ value: each.chain, label: each.name }))}
        onChange={(next) => change({ chain: next })}
      />
      <TextField label={t('calls.contracts')} value={typed.contracts} onChange={(next) => change({ contracts: next })} rows={2} className="hf-mono" />
      <TextField
        label={t('calls.functions')}
        hint={t('calls.functionsNote')}
        value={typed.functions}
        onChange={(next) => change({ functions: next })}
        rows={2}
        className="hf-mono"
      />
      <TextField
        label={t('calls.payers')}
        hint={t('calls.payersNote')}
        value={typed.payers}
        onChange={(next) => change({ payers: next })}
        rows={2}
        className="hf-mono"
      />
      <TextField label={t('calls.value')} value={typed.value} onChange={(value) => change({ value })} inputMode="decimal" autoComplete="off" />
      <div className="hf-row-tight">
        <TextField label={t('calls.total')} value={typed.total} onChange={(total) => change({ total })} inputMode="decimal" autoComplete="off" />
        <TextField label={t('calls.hours')} value={typed.hours} onChange={(hours) => change({ hours })} inputMode="numeric" autoComplete="off" />
      </div>
      <p className="hf-small hf-muted">{t('calls.windowNote')}</p>
      {(['unlimited', 'unknown'] as const).map((name) => (
        <label key={name} className="hf-row-tight">
          <input type="checkbox" className="hf-tick" checked={typed[name]} onChange={(event) => change({ [name]: event.target.checked })} />
          {t(`calls.${name}`)}
        </label>
      ))}
      <p className="hf-small hf-muted">{t('calls.people', { rule: people?.id ?? '' })}</p>
      <div>
        <Button disabled={!isWhole} onClick={add}>
          {t('calls.take')}
        </Button>
      </div>
    </div>
  )
}
