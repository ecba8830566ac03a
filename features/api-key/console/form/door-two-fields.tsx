import { Note, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { KeySettings } from '../../settings-contract.ts'
import { fingerprintText, NO_RSA_KEYS } from './typed.ts'

type DoorTwo = NonNullable<KeySettings['door_two']>

type DoorTwoFieldsProps = { value: KeySettings['door_two']; onChange: (doorTwo: DoorTwo, fingerprint: string) => void; error: string | undefined }

/** The RSA keys of a program that calls at door two, what that door is weaker in, and the fingerprint that the policy has of them. */
export function DoorTwoFields({ value, onChange, error }: DoorTwoFieldsProps) {
  const { t } = useTranslation('apiPage')
  const keys = value ?? NO_RSA_KEYS
  const set = (changes: Partial<DoorTwo>) => {
    const next = { ...keys, ...changes }
    onChange(next, fingerprintText(next))
  }
  const fingerprint = fingerprintText(keys)
  return (
    <div className="hf-stack-tight">
      <Note tone="warn" title={t('api.doorTwo.weaker')}>
        {t('api.doorTwo.weakerText')}
      </Note>
      <TextField
        label={t('api.doorTwo.requestKey')}
        hint={t('api.doorTwo.requestKeyHint')}
        value={keys.request_key}
        onChange={(request_key) => set({ request_key })}
        rows={4}
        error={error}
      />
      <TextField
        label={t('api.doorTwo.signKey')}
        hint={t('api.doorTwo.signKeyHint')}
        value={keys.sign_key ?? ''}
        onChange={(text) => set({ sign_key: text.trim() === '' ? null : text })}
        rows={4}
      />
      {fingerprint !== '' && (
        <p className="hf-small hf-api-wraps">
          {t('api.doorTwo.fingerprint')} <code translate="no">{fingerprint}</code>
        </p>
      )}
    </div>
  )
}
