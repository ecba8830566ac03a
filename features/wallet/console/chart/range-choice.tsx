import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { BALANCE_RANGES } from '../../contract.ts'

type Range = (typeof BALANCE_RANGES)[number]

/** How far back a picture reaches; `label` is what is chosen, for those who cannot see it. */
export function RangeChoice<Of extends Range>({
  label,
  ranges,
  range,
  onChange,
}: {
  label: string
  ranges: readonly Of[]
  range: Of
  onChange: (range: Of) => void
}) {
  const { t } = useTranslation()
  const id = useId()
  const words = (each: Range) => t(`wallet.range.${each}`)
  return (
    <fieldset className="hf-segments hf-range-choice">
      <legend className="hf-visually-hidden">{label}</legend>
      {ranges.map((each) => (
        <label key={each} className="hf-segment">
          <input type="radio" name={id} checked={each === range} onChange={() => onChange(each)} />
          <span>{words(each)}</span>
        </label>
      ))}
    </fieldset>
  )
}
