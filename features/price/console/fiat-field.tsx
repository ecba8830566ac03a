import { SelectField, useLocale } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { type Fiat, FIATS } from '../contract.ts'

/** Chooses a currency for values, by its code and its name in the reader's language. */
export function FiatField({ value, onChange }: { value: Fiat; onChange: (fiat: Fiat) => void }) {
  const { t } = useTranslation()
  const names = new Intl.DisplayNames(useLocale(), { type: 'currency' })
  return (
    <SelectField
      label={t('price.currency')}
      value={value}
      options={FIATS.map((fiat) => ({ value: fiat, label: `${fiat} · ${names.of(fiat)}` }))}
      onChange={(next) => onChange(FIATS.find((each) => each === next) ?? value)}
    />
  )
}
