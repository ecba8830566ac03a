import { Checkbox, ErrorState, Label, LoadingState, Note, Time } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getFreezes, proposeLift } from '../signer-order-contract.ts'
import { SignerOrderForm } from './signer-order-form.tsx'

/** Asks those who govern to lift freezes, each of which is ticked by itself. */
export function LiftDrawer() {
  const { t } = useTranslation('strategyEngine')
  const { data, error, refetch } = useEndpoint(getFreezes, {})
  const [chosen, setChosen] = useState<readonly string[]>([])
  const propose = useSend(proposeLift)
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={4} />
  const freezes = data.freezes.map(({ hash }) => hash).filter((hash) => chosen.includes(hash))
  return (
    <SignerOrderForm asked={{ freezes }} sending={propose} send={(sent) => propose.mutate({ ...sent, freezes })} isReady={freezes.length > 0}>
      <Note tone="warn">{t('signing.lift.note')}</Note>
      <fieldset className="hf-fieldset">
        <legend>{t('signing.lift.which')}</legend>
        {data.freezes.map(({ hash, person, reason, at }) => (
          <Checkbox
            key={hash}
            checked={chosen.includes(hash)}
            onChange={(isChosen) => setChosen(isChosen ? [...chosen, hash] : chosen.filter((each) => each !== hash))}
          >
            <Label text={person.name} wrap />, <Time ms={at} />
            {reason !== '' && (
              <>
                {t('signing.frozen.because')} <Label text={reason} wrap />
              </>
            )}
          </Checkbox>
        ))}
      </fieldset>
    </SignerOrderForm>
  )
}
