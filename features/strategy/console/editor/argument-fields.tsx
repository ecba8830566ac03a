import type { ParameterPlace } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { AddButtons, Choice, DropRow, type FaultAt, FaultLine, LinesField } from './parts.tsx'

/** What a rule says of one parameter. */
export type ParameterRow = Extract<ConditionDraft, { kind: 'parameters' }>['parameters'][number]

type Props = { row: ParameterRow; as: ParameterPlace['as']; faultAt: FaultAt; onChange: (row: ParameterRow) => void }

/** What a parameter may be, by what its type is compared as; nothing for a list of tuples. */
export function ArgumentFields({ row, as, faultAt, onChange }: Props) {
  const { t } = useTranslation('strategyEngine')
  switch (as) {
    case undefined:
      return null
    case 'addresses':
      return (
        <LinesField
          label={t('rules.edit.parameterAddresses')}
          lines={row.addresses}
          onChange={(addresses) => onChange({ ...row, addresses })}
          error={faultAt('addresses')}
        />
      )
    case 'bytes':
      return (
        <LinesField
          label={t('rules.edit.parameterBytes')}
          lines={row.values ?? []}
          onChange={(values) => onChange({ ...row, values })}
          error={faultAt('values')}
        />
      )
    case 'texts':
      return <TextsFields {...{ row, faultAt, onChange }} />
    case 'truth':
      return (
        <div className="hf-rule-wide hf-stack-tight">
          <Choice
            name={`${row.function} ${[row.number, ...(row.parts ?? [])].join('.')}`}
            label={t('rules.edit.parameterIs')}
            value={row.is === undefined ? '' : String(row.is)}
            options={['true', 'false'].map((value) => ({ value, label: value }))}
            onChange={(value) => onChange({ ...row, is: value === 'true' })}
          />
          <FaultLine text={faultAt('is')} />
        </div>
      )
    case 'numbers':
    case 'signed':
      return <NumberFields {...{ row, as, faultAt, onChange }} />
  }
}

function NumberFields({ row, as, faultAt, onChange }: Props) {
  const { t } = useTranslation('strategyEngine')
  const { at_least: least, at_most: most } = row
  // Nought bounds nothing where no number is below it.
  const nothing = as === 'signed' ? null : '0'
  const typed = { inputMode: as === 'signed' ? ('text' as const) : ('numeric' as const), autoComplete: 'off' }
  return (
    <>
      <TextField
        label={t('rules.edit.atLeast')}
        placeholder={as === 'signed' ? t('rules.edit.noBound') : '0'}
        value={least === nothing ? '' : (least ?? '')}
        onChange={(text) => onChange({ ...row, at_least: text === '' ? nothing : text })}
        {...typed}
        error={faultAt('at_least')}
      />
      <TextField
        label={t('rules.edit.atMost')}
        placeholder={t('rules.edit.noBound')}
        value={most ?? ''}
        onChange={(text) => onChange({ ...row, at_most: text === '' ? null : text })}
        {...typed}
        error={faultAt('at_most')}
      />
    </>
  )
}

/** Texts have a field each: an empty one is a text as well, and so is one of several words. */
function TextsFields({ row, faultAt, onChange }: Omit<Props, 'as'>) {
  const { t } = useTranslation('strategyEngine')
  const values = row.values ?? []
  const set = (next: string[]) => onChange({ ...row, values: next })
  return (
    <div className="hf-rule-wide hf-stack-tight">
      {values.map((value, at) => (
        <div key={at} className="hf-row-tight">
          <TextField label={t('rules.edit.parameterText', { no: at + 1 })} value={value} onChange={(text) => set(values.with(at, text))} autoComplete="off" />
          <DropRow name={t('rules.edit.parameterText', { no: at + 1 })} onDrop={() => set(values.toSpliced(at, 1))} />
        </div>
      ))}
      <AddButtons title={t('rules.edit.parameterIs')} options={[{ key: 'text', label: t('rules.edit.addText'), add: () => set([...values, '']) }]} />
      <FaultLine text={faultAt('values')} />
    </div>
  )
}
