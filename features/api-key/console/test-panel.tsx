import { useSend } from '@holdfast/client'
import { Button, StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { testMachine } from '../contract.ts'

/** Has a co-signer look at everything that it needs, and shows what it found. */
export function TestPanel({ appId }: { appId: string }) {
  const { t } = useTranslation('apiPage')
  const test = useSend(testMachine)
  return (
    <div className="hf-stack-tight">
      <div className="hf-row">
        <Button size="small" loading={test.isPending} onClick={() => test.mutate({ app_id: appId, kind: 'co_signer' })}>
          {t('api.coSigner.test')}
        </Button>
      </div>
      {test.data && (
        <ul className="hf-api-steps" aria-label={t('api.coSigner.steps')}>
          {test.data.steps.map(({ name, ok, msg, ms }) => (
            <li key={name}>
              <StatusTag tone={ok ? 'good' : 'bad'} text={t(ok ? 'api.coSigner.ok' : 'api.coSigner.bad')} />
              <strong translate="no">{name}</strong>
              <span>{msg}</span>
              <span className="hf-muted hf-numbers">{t('api.ms', { count: ms })}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
