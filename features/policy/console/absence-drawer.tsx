import { Note, TextField } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ABSENCE_DAYS_MAX, proposeAbsence } from '../signer-order-contract.ts'
import { SignerOrderForm } from './signer-order-form.tsx'

/** Asks those who govern to say that a signer is away: what that means, and for how long. */
export function AbsenceDrawer({ party }: { party: number }) {
  const { t } = useTranslation('strategyEngine')
  const [days, setDays] = useState('3')
  const propose = useSend(proposeAbsence)
  const isDays = /^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= ABSENCE_DAYS_MAX
  const asked = { party, days: Number(days) }
  return (
    <SignerOrderForm asked={asked} sending={propose} send={(sent) => propose.mutate({ ...sent, ...asked })} isReady={isDays}>
      <Note tone="warn">{t('signing.absence.note', { party })}</Note>
      <ul className="hf-bullets">
        {(['goesOn', 'risk', 'ends'] as const).map((each) => (
          <li key={each}>{t(`signing.absence.${each}`, { party })}</li>
        ))}
      </ul>
      <TextField
        label={t('signing.absence.days', { most: ABSENCE_DAYS_MAX })}
        value={days}
        onChange={(text) => setDays(text.trim())}
        inputMode="numeric"
        maxLength={2}
        {...(isDays ? {} : { error: t('signing.absence.badDays', { most: ABSENCE_DAYS_MAX }) })}
      />
    </SignerOrderForm>
  )
}
