import { comparedAs, parameterTypes } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { Label, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { AddPicker, DropRow, type FaultAt, FaultLine } from './parts.tsx'

type Parameters = Extract<ConditionDraft, { kind: 'parameters' }>
type Row = Parameters['parameters'][number]
type Props = { condition: Parameters; functions: readonly string[]; faultAt: FaultAt; onChange: (next: Parameters) => void }

const keyOf = (row: Pick<Row, 'function' | 'number'>) => `${row.number} ${row.function}`

/** With what parameters the functions of a rule may be called. */
export function ParameterRows({ condition, functions, faultAt, onChange }: Props) {
  const { t } = useTranslation('strategyEngine')
  const { parameters } = condition
  const set = (at: number, row: Row) => onChange({ ...condition, parameters: parameters.map((each, i) => (i === at ? row : each)) })
  const all = functions.flatMap((signature) =>
    parameterTypes(signature).flatMap((type, i) => (comparedAs(type) ? [{ function: signature, number: i + 1, type }] : [])),
  )
  const left = all.filter((each) => !parameters.some((row) => keyOf(row) === keyOf(each)))
  const add = (value: string) => {
    const found = left.find((each) => keyOf(each) === value)
    if (!found) return
    const row: Row = { function: found.function, number: found.number, addresses: [], at_least: '0', at_most: null }
    onChange({ ...condition, parameters: [...parameters, row] })
  }
  return (
    <div className="hf-stack-tight">
      <p className="hf-small hf-muted">{t(all.length === 0 ? 'rules.edit.parametersFirst' : 'rules.edit.parametersNote')}</p>
      <ul className="hf-rule-rows">
        {parameters.map((row, at) => (
          <ParameterRow
            key={keyOf(row)}
            {...{ row, at, faultAt }}
            onChange={(next) => set(at, next)}
            onDrop={() => onChange({ ...condition, parameters: parameters.filter((each) => each !== row) })}
          />
        ))}
      </ul>
      <AddPicker
        label={t('rules.edit.addParameter')}
        options={left.map((each) => ({ value: keyOf(each), label: each.function, detail: t('rules.edit.parameterOf', { no: each.number, type: each.type }) }))}
        onAdd={add}
      />
      <FaultLine text={faultAt('parameters')} />
    </div>
  )
}

type RowProps = { row: Row; at: number; faultAt: FaultAt; onChange: (row: Row) => void; onDrop: () => void }

function ParameterRow({ row, at, faultAt, onChange, onDrop }: RowProps) {
  const { t } = useTranslation('strategyEngine')
  const { function: signature, number, addresses, at_least: least, at_most: most } = row
  const type = parameterTypes(signature)[number - 1] ?? ''
  const name = t('rules.edit.parameterOf', { no: number, type })
  return (
    <li className="hf-rule-row">
      <span className="hf-stack-tight">
        <Label text={signature} wrap />
        <span className="hf-small hf-faint">{name}</span>
      </span>
      {comparedAs(type) === 'addresses' ? (
        <div className="hf-rule-wide">
          <TextField
            label={t('rules.edit.parameterAddresses')}
            value={addresses.join('\n')}
            onChange={(text) => onChange({ ...row, addresses: text.split('\n').map((line) => line.trim()) })}
            rows={2}
            className="hf-mono"
            error={faultAt(`parameters.${at}.addresses`)}
          />
        </div>
      ) : (
        <>
          <TextField
            label={t('rules.edit.atLeast')}
            placeholder="0"
            value={least === '0' ? '' : least}
            onChange={(text) => onChange({ ...row, at_least: text === '' ? '0' : text })}
            inputMode="numeric"
            autoComplete="off"
            error={faultAt(`parameters.${at}.at_least`)}
          />
          <TextField
            label={t('rules.edit.atMost')}
            placeholder={t('rules.edit.noBound')}
            value={most ?? ''}
            onChange={(text) => onChange({ ...row, at_most: text === '' ? null : text })}
            inputMode="numeric"
            autoComplete="off"
            error={faultAt(`parameters.${at}.at_most`)}
          />
        </>
      )}
      <DropRow name={`${signature}, ${name}`} onDrop={onDrop} />
    </li>
  )
}
