import { Label, Note, TextField } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallRuleDraft, listAddableAssets } from '../contract.ts'
import type { PolicyView } from './draft.ts'
import { AMOUNT, LinesField, linesOf, type NewRule, RuleForm, RuleSection, type RulesProps, Tick } from './draft-rule-parts.tsx'

/** Assets that the policy is to name from now on: each as the server lists it, beside what its contract says of itself. */
export function DraftAssets({ draft, onChange }: Omit<RulesProps, 'policy'>) {
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
export function DraftCallRules(props: RulesProps) {
  const { t } = useTranslation('strategyEngine')
  const { policy, draft, onChange } = props
  return (
    <RuleSection
      kind="call"
      words="calls"
      {...props}
      added={draft.add_call_rules}
      nameOf={(rule) => t('calls.added', { id: rule.id, contracts: rule.contracts.join(', ') })}
      onAdded={(rules) => onChange({ ...draft, add_call_rules: rules })}
      form={(onAdd) => <CallRuleForm policy={policy} onAdd={onAdd} />}
    />
  )
}

const EMPTY = { contracts: '', functions: '', payers: '', value: '0', tokens: '0', hours: '', total: '', totalTokens: '', unlimited: false, unknown: false }
/** Whole base units; less than 2^95 of them have so many digits. */
const BASE_UNITS = /^(0|[1-9]\d{0,28})$/

/** The limit for several hours as it is typed: null if nothing is, undefined if it is not whole. */
function windowOf(typed: Record<'hours' | 'total' | 'totalTokens', string>): CallRuleDraft['window'] | undefined {
  const [hours, total, tokens] = [typed.hours.trim(), typed.total.trim(), typed.totalTokens.trim()]
  if (hours === '' && total === '' && tokens === '') return null
  const isWhole = /^[1-9]\d{0,3}$/.test(hours) && AMOUNT.test(total) && BASE_UNITS.test(tokens)
  return isWhole ? { hours: Number(hours), max_value: total, max_tokens: tokens } : undefined
}

function CallRuleForm({ policy, onAdd }: { policy: PolicyView; onAdd: (rule: CallRuleDraft) => void }) {
  const { t } = useTranslation('strategyEngine')
  const [typed, setTyped] = useState(EMPTY)
  const change = (next: Partial<typeof EMPTY>) => setTyped((before) => ({ ...before, ...next }))
  const contracts = linesOf(typed.contracts)
  const window = windowOf(typed)
  const functions = linesOf(typed.functions)
  const isWhole = contracts.length > 0 && functions.length > 0 && AMOUNT.test(typed.value) && BASE_UNITS.test(typed.tokens.trim()) && window !== undefined
  const add = (rule: NewRule) => {
    if (window === undefined) return
    onAdd({
      ...rule,
      payers: linesOf(typed.payers),
      contracts,
      functions,
      max_value: typed.value,
      max_tokens: typed.tokens.trim(),
      window,
      unlimited_allowances: typed.unlimited,
      unknown_call_data: typed.unknown,
    })
    setTyped(EMPTY)
  }
  return (
    <RuleForm policy={policy} networks={policy.networks} isWhole={isWhole} onAdd={add}>
      <LinesField label={t('calls.contracts')} value={typed.contracts} onChange={(next) => change({ contracts: next })} />
      <LinesField label={t('calls.functions')} hint={t('calls.functionsNote')} value={typed.functions} onChange={(next) => change({ functions: next })} />
      <LinesField label={t('calls.payers')} hint={t('calls.payersNote')} value={typed.payers} onChange={(next) => change({ payers: next })} />
      <TextField label={t('calls.value')} value={typed.value} onChange={(value) => change({ value })} inputMode="decimal" autoComplete="off" />
      <TextField
        label={t('calls.tokens')}
        hint={t('calls.tokensNote')}
        value={typed.tokens}
        onChange={(tokens) => change({ tokens })}
        inputMode="numeric"
        autoComplete="off"
      />
      <div className="hf-row-tight">
        <TextField label={t('calls.total')} value={typed.total} onChange={(total) => change({ total })} inputMode="decimal" autoComplete="off" />
        <TextField
          label={t('calls.totalTokens')}
          value={typed.totalTokens}
          onChange={(totalTokens) => change({ totalTokens })}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField label={t('calls.hours')} value={typed.hours} onChange={(hours) => change({ hours })} inputMode="numeric" autoComplete="off" />
      </div>
      <p className="hf-small hf-muted">{t('calls.windowNote')}</p>
      {(['unlimited', 'unknown'] as const).map((name) => (
        <Tick key={name} checked={typed[name]} onChange={(checked) => change({ [name]: checked })}>
          {t(`calls.${name}`)}
        </Tick>
      ))}
    </RuleForm>
  )
}
