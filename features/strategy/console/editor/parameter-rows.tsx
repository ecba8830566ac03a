import { type ParameterPlace, parameterPlaces, placeOf } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { Label, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { ArgumentFields, type ParameterRow } from './argument-fields.tsx'
import { AddPicker, DropRow, type FaultAt, FaultLine } from './parts.tsx'

type Parameters = Extract<ConditionDraft, { kind: 'parameters' }>
type Props = { condition: Parameters; functions: readonly string[]; faultAt: FaultAt; onChange: (next: Parameters) => void }

const keyOf = (row: { function: string; number: number; parts?: readonly number[] | undefined }) =>
  `${[row.number, ...(row.parts ?? [])].join('.')} ${row.function}`

/** A parameter as it begins: nothing is said of it yet. */
const emptyRow = (signature: string, { number, parts, as }: ParameterPlace): ParameterRow => ({
  ...{ function: signature, number, ...(parts.length > 0 && { parts }), addresses: [] },
  ...{ at_least: as === 'signed' ? null : '0', at_most: null, ...(as === 'truth' && { is: true }) },
})

/** With what parameters the functions of a rule may be called. */
export function ParameterRows({ condition, functions, faultAt, onChange }: Props) {
  const { t } = useTranslation('strategyEngine')
  const nameOf = usePlaceName()
  const { parameters } = condition
  const set = (at: number, row: ParameterRow) => onChange({ ...condition, parameters: parameters.map((each, i) => (i === at ? row : each)) })
  const all = functions.flatMap((signature) => parameterPlaces(signature).map((place) => ({ function: signature, ...place })))
  const left = all.filter((each) => !parameters.some((row) => keyOf(row) === keyOf(each)))
  const add = (value: string) => {
    const found = left.find((each) => keyOf(each) === value)
    if (found) onChange({ ...condition, parameters: [...parameters, emptyRow(found.function, found)] })
  }
  return (
    <div className="hf-stack-tight">
      <p className="hf-small hf-muted">{t(all.length === 0 ? 'rules.edit.parametersFirst' : 'rules.edit.parametersNote')}</p>
      <ul className="hf-rule-rows">
        {parameters.map((row, at) => (
          <Row
            key={keyOf(row)}
            {...{ row, faultAt: (field) => faultAt(`parameters.${at}.${field}`) }}
            onChange={(next) => set(at, next)}
            onDrop={() => onChange({ ...condition, parameters: parameters.filter((each) => each !== row) })}
          />
        ))}
      </ul>
      <AddPicker
        label={t('rules.edit.addParameter')}
        options={left.map((each) => ({ value: keyOf(each), label: each.function, detail: nameOf(each) }))}
        onAdd={add}
      />
      <FaultLine text={faultAt('parameters')} />
    </div>
  )
}

function usePlaceName() {
  const { t } = useTranslation('strategyEngine')
  return ({ number: no, parts, type }: Pick<ParameterPlace, 'number' | 'parts' | 'type'>) =>
    parts.length === 0 ? t('rules.edit.parameterOf', { no, type }) : t('rules.edit.parameterPartOf', { no, part: parts.join('.'), type })
}

type RowProps = { row: ParameterRow; faultAt: FaultAt; onChange: (row: ParameterRow) => void; onDrop: () => void }

function Row({ row, faultAt, onChange, onDrop }: RowProps) {
  const { t } = useTranslation('strategyEngine')
  const nameOf = usePlaceName()
  const { function: signature, number, parts = [], max_length: length } = row
  const place = placeOf(row)
  const name = nameOf({ number, parts, type: place?.type ?? '' })
  const bound = (text: string) => {
    const { max_length: _, ...rest } = row
    const digits = text.replaceAll(/\D/g, '').slice(0, 3)
    onChange(digits === '' ? rest : { ...rest, max_length: Math.min(Number(digits), 256) })
  }
  return (
    <li className="hf-rule-row">
      <span className="hf-stack-tight">
        <Label text={signature} wrap />
        <span className="hf-small hf-faint">{name}</span>
        {place?.isEach && <span className="hf-small hf-faint">{t(place.as ? 'rules.edit.eachElement' : 'rules.edit.listOfTuples')}</span>}
      </span>
      <div className="hf-rule-wide hf-rule-fields">
        <ArgumentFields {...{ row, faultAt, onChange }} as={place?.as} />
        {place?.hasLength && (
          <TextField
            label={t('rules.edit.maxLength')}
            placeholder={t('rules.edit.noBound')}
            value={length === undefined ? '' : String(length)}
            onChange={bound}
            inputMode="numeric"
            autoComplete="off"
            error={faultAt('max_length')}
          />
        )}
      </div>
      <DropRow name={`${signature}, ${name}`} onDrop={onDrop} />
    </li>
  )
}
