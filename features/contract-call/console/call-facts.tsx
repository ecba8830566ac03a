import type { RecordPlace } from '@holdfast/features/console-feature'
import { ErrorState, Facts, Label, LoadingState } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getCall } from '../contract.ts'
import { CallPreview } from './call-preview.tsx'

/** What one order calls, and what a node said of it when it was asked for. */
export function CallFacts({ id }: RecordPlace) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getCall, { id })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={4} />
  return (
    <section className="hf-stack" aria-labelledby="order-call">
      <h3 id="order-call">{t('contractCall.title')}</h3>
      <CallPreview decoded={data.decoded} simulation={data.simulation} />
      {data.dapp_name + data.dapp_url !== '' && (
        <Facts facts={[{ label: t('contractCall.dapp'), value: <Label text={`${data.dapp_name} ${data.dapp_url}`.trim()} wrap />, wide: true }]} />
      )}
      <details>
        <summary>{t('contractCall.data')}</summary>
        <code className="hf-break">{data.input_data}</code>
      </details>
    </section>
  )
}
