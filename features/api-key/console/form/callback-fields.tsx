import { Checkbox, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { CALLED_BACK_SIDES, type KeySettings } from '../../settings-contract.ts'

type DoorTwo = NonNullable<KeySettings['door_two']>
type CallbackFieldsProps = { value: DoorTwo; onChange: (doorTwo: DoorTwo) => void; error: string | undefined }

/** Where a key of door two is called back, and about what; no address is nowhere. */
export function CallbackFields({ value, onChange, error }: CallbackFieldsProps) {
  const { t } = useTranslation('apiPage')
  const { callback } = value
  const sides = callback?.sides ?? [...CALLED_BACK_SIDES]
  return (
    <div className="hf-stack-tight">
      <TextField
        label={t('api.callback.url')}
        hint={t('api.callback.urlHint')}
        value={callback?.url ?? ''}
        onChange={(url) => onChange({ ...value, callback: url.trim() === '' ? null : { url: url.trim(), sides } })}
        inputMode="url"
        maxLength={2048}
        error={error}
      />
      {callback !== null && (
        <fieldset className="hf-api-boxes">
          <legend>{t('api.callback.sides')}</legend>
          {CALLED_BACK_SIDES.map((side) => (
            <Checkbox
              key={side}
              checked={sides.includes(side)}
              onChange={(isChosen) =>
                onChange({ ...value, callback: { ...callback, sides: CALLED_BACK_SIDES.filter((each) => (each === side ? isChosen : sides.includes(each))) } })
              }
            >
              {t(`api.callback.side.${side}`)}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </div>
  )
}
