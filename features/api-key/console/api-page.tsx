import './api.css'
import { useEndpoint } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { usePermission } from '@holdfast/features/session/console'
import { EmptyState, ErrorState, LoadingState, Note, PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listMachines } from '../contract.ts'
import { MachineCard } from './machine-card.tsx'

const BUTTON = 'hf-button hf-button-default hf-button-middle'

/** API keys, co-signers and screeners: how each stands, what it may do, and what waits to be decided. */
export function ApiPage() {
  const { t } = useTranslation('apiPage')
  const mayWrite = usePermission('api.write')
  const { data, error, refetch } = useEndpoint(listMachines, {})
  const actions = (
    <>
      <Link className={BUTTON} to="/mpc/center/wallet/api/log">
        {t('api.logTitle')}
      </Link>
      {mayWrite && (
        <>
          <Link className={BUTTON} to="/mpc/center/wallet/api/addApi?kind=apiRsa">
            {t('api.doorTwo.add')}
          </Link>
          <Link className={BUTTON} to="/mpc/center/wallet/api/addApi?kind=coSigner">
            {t('api.addCoSigner')}
          </Link>
          <Link className={BUTTON} to="/mpc/center/wallet/api/addApi?kind=screener">
            {t('api.addScreener')}
          </Link>
          <Link className="hf-button hf-button-primary hf-button-middle" to="/mpc/center/wallet/api/addApi">
            {t('api.addKey')}
          </Link>
        </>
      )}
    </>
  )
  const open = data?.open_change
  const isAboutMachines = data?.list.some(({ pending }) => pending !== 'none') === true
  return (
    <>
      <PageHeader title={t('api.title')} actions={actions}>
        {t('api.lead')}
      </PageHeader>
      {data ? (
        <div className="hf-stack-wide">
          {open && (
            <Note tone="info" title={t(isAboutMachines ? 'api.open.title' : 'api.open.other')}>
              <p>{t(isAboutMachines ? 'api.open.text' : 'api.open.otherText')}</p>
              <ApprovalLink href={open.approval_url}>{t('api.open.decide')}</ApprovalLink>
            </Note>
          )}
          {data.list.length === 0 && (
            <div className="hf-panel">
              <EmptyState title={t('api.none')}>{t('api.noneText')}</EmptyState>
            </div>
          )}
          <div className="hf-api-list">
            {data.list.map((machine) => (
              <MachineCard key={machine.app_id} machine={machine} wallets={data.wallets} hasOpenChange={open !== null} />
            ))}
          </div>
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={6} />
      )}
    </>
  )
}
