import { coinOption } from '@holdfast/features/network/console'
import { Button, SelectField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { LimitDraft } from '@holdfast/features/rule-draft/contract'
import { assetOf, type NamedDraft, networkName } from '@holdfast/features/rule-draft/console'
import type { Names } from '../words/rule-words.ts'
import { AddPicker, DropRow, type FaultAt, FaultLine, NumberField, Part, Piece, SpanField } from './parts.tsx'

const EACH: Record<NamedDraft['covers']['kind'], readonly LimitDraft['each'][]> = {
  payments: ['rule', 'asker', 'destination', 'source'],
  calls: ['rule', 'asker', 'source'],
  stake: ['rule', 'asker', 'source'],
  trades: ['rule', 'asker', 'source'],
}

const EMPTY: LimitDraft = { each: 'rule', length_s: 86_400, amounts: [], max_tokens: null, max_count: null, max_usd: null }
const LIMITS_MAX = 8

type LimitsProps = { rule: NamedDraft; names: Names; faultAt: FaultAt; onChange: (rule: NamedDraft) => void }

/** How much a rule lets through in how much time, before the next one decides. */
export function Limits({ rule, names, faultAt, onChange }: LimitsProps) {
  const { t } = useTranslation('strategyEngine')
  const { limits } = rule
  return (
    <Part title={t('rules.edit.limits')} note={t('rules.edit.limitsNote')}>
      {limits.map((limit, at) => (
        <Piece
          key={at}
          title={t('rules.edit.limitNo', { no: at + 1 })}
          dropLabel={t('rules.edit.takeOut', { name: t('rules.edit.limitNo', { no: at + 1 }) })}
          onDrop={() => onChange({ ...rule, limits: limits.toSpliced(at, 1) })}
        >
          <LimitFields {...{ limit, at, names, faultAt }} about={rule.covers.kind} onChange={(next) => onChange({ ...rule, limits: limits.with(at, next) })} />
        </Piece>
      ))}
      {limits.length < LIMITS_MAX && (
        <div>
          <Button size="small" variant="dashed" onClick={() => onChange({ ...rule, limits: [...limits, EMPTY] })}>
            {`+ ${t('rules.edit.addLimit')}`}
          </Button>
        </div>
      )}
    </Part>
  )
}

type FieldsProps = { limit: LimitDraft; at: number; about: NamedDraft['covers']['kind']; names: Names; faultAt: FaultAt; onChange: (limit: LimitDraft) => void }

function LimitFields({ limit, at, about, names, faultAt, onChange }: FieldsProps) {
  const { t } = useTranslation('strategyEngine')
  const { each, length_s: length, max_count: count, max_tokens: tokens, max_usd: dollars } = limit
  return (
    <>
      <div className="hf-rule-grid">
        <SpanField
          label={t('rules.edit.within')}
          value={length}
          error={faultAt(`limits.${at}.length`)}
          onChange={(seconds) => onChange({ ...limit, length_s: seconds })}
        />
        <SelectField
          label={t('rules.edit.countedFor')}
          value={each}
          options={EACH[about].map((value) => ({ value, label: t(`rules.each.${value}`) }))}
          onChange={(value) => onChange({ ...limit, each: EACH[about].find((known) => known === value) ?? 'rule' })}
        />
        <NumberField
          label={t('rules.edit.orders')}
          value={count ?? 0}
          suffix={<span>{t('rules.edit.ordersUnit')}</span>}
          onChange={(next) => onChange({ ...limit, max_count: next === 0 ? null : next })}
        />
        {about !== 'calls' && (
          <TextField
            label={t('rules.edit.worth')}
            hint={t('rules.edit.worthNote')}
            value={dollars ?? ''}
            onChange={(text) => onChange({ ...limit, max_usd: text === '' ? null : text })}
            inputMode="decimal"
            autoComplete="off"
            suffix={<span>USD</span>}
            error={faultAt(`limits.${at}.usd`)}
          />
        )}
        {about === 'calls' && (
          <TextField
            label={t('rules.edit.tokens')}
            hint={t('rules.edit.baseUnits')}
            value={tokens ?? ''}
            onChange={(text) => onChange({ ...limit, max_tokens: text === '' ? null : text })}
            inputMode="numeric"
            autoComplete="off"
            error={faultAt(`limits.${at}.tokens`)}
          />
        )}
      </div>
      <LimitAmounts {...{ limit, at, names, faultAt, onChange }} />
      <FaultLine text={faultAt(`limits.${at}`)} />
    </>
  )
}

const keyOf = (chain: string, asset: string) => `${chain} ${asset}`

/** So much of each coin; of any other none, once one is named. */
function LimitAmounts({ limit, at, names: { known }, faultAt, onChange }: Omit<FieldsProps, 'about'>) {
  const { t } = useTranslation('strategyEngine')
  const { amounts } = limit
  const options = known.assets
    .filter(({ chain, asset }) => !amounts.some((each) => keyOf(each.chain, each.asset) === keyOf(chain, asset)))
    .map(({ chain, asset, symbol, network }) => coinOption(keyOf(chain, asset), symbol, { chain, network, contract_address: asset === '' ? null : asset }))
  const add = (value: string) => {
    const found = known.assets.find(({ chain, asset }) => keyOf(chain, asset) === value)
    if (found) onChange({ ...limit, amounts: [...amounts, { chain: found.chain, asset: found.asset, max: '' }] })
  }
  return (
    <div className="hf-stack-tight">
      <ul className="hf-rule-rows">
        {amounts.map((row, no) => {
          const symbol = assetOf(known, row.chain, row.asset)?.symbol ?? row.asset
          return (
            <li key={keyOf(row.chain, row.asset)} className="hf-rule-row hf-rule-amount">
              <TextField
                label={t('rules.edit.upTo', { symbol, network: networkName(known, row.chain) })}
                value={row.max}
                onChange={(max) => onChange({ ...limit, amounts: amounts.with(no, { ...row, max }) })}
                inputMode="decimal"
                autoComplete="off"
                suffix={<span>{symbol}</span>}
                error={faultAt(`limits.${at}.amounts.${no}`)}
              />
              <DropRow name={symbol} onDrop={() => onChange({ ...limit, amounts: amounts.toSpliced(no, 1) })} />
            </li>
          )
        })}
      </ul>
      <AddPicker label={t('rules.edit.addAmount')} options={options} onAdd={add} />
      {amounts.length > 0 && <p className="hf-small hf-muted">{t('rules.edit.amountsNote')}</p>}
    </div>
  )
}
