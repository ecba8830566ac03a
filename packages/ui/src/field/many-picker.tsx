import { useTranslation } from 'react-i18next'
import { Checkbox } from './checkbox.tsx'
import { IconChevron } from '../base/icons.tsx'
import { Label } from '../base/label.tsx'
import type { PickerOption } from './picker.tsx'
import { Popup } from '../base/popup.tsx'

type ManyPickerProps = { label: string; options: readonly PickerOption<string>[]; values: readonly string[]; onChange(values: string[]): void }

/** Some of several: a button that opens a list of boxes. */
export function ManyPicker({ label, options, values, onChange }: ManyPickerProps) {
  const { t } = useTranslation()
  const only = values.length === 1 ? options.find((option) => option.value === values[0]) : undefined
  const chosen = only ? only.label : values.length === 0 ? undefined : t('ui.picker.chosen', { count: values.length })
  const face = (
    <>
      <span className={chosen === undefined ? 'hf-picker-value hf-faint' : 'hf-picker-value'}>{only ? <Label text={only.label} /> : (chosen ?? label)}</span>
      <IconChevron />
    </>
  )
  return (
    <Popup label={chosen === undefined ? label : `${label}: ${chosen}`} className="hf-picker hf-filter" face={face}>
      <div className="hf-picker-boxes">
        {options.map(({ value, label: name }) => (
          <Checkbox
            key={value}
            checked={values.includes(value)}
            onChange={(isChosen) => onChange(isChosen ? [...values, value] : values.filter((each) => each !== value))}
          >
            <Label text={name} />
          </Checkbox>
        ))}
        {options.length === 0 && <p className="hf-picker-none hf-muted">{t('ui.palette.none')}</p>}
        {values.length > 0 && (
          <button type="button" className="hf-text-button hf-small" onClick={() => onChange([])}>
            {t('ui.picker.clear')}
          </button>
        )}
      </div>
    </Popup>
  )
}
