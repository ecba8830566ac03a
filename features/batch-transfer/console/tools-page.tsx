import './batch.css'
import { PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

const TOOLS = [
  { path: 'batchTransfer', title: 'batch.title', text: 'batch.tools.batch' },
  { path: 'tronAutoAgent', title: 'batch.tools.agentTitle', text: 'batch.tools.agent' },
  { path: 'tronResourceMonitor', title: 'batch.tools.monitorTitle', text: 'batch.tools.monitor' },
] as const

/** What there is beside wallets and payments. */
export function ToolsPage() {
  const { t } = useTranslation('tools')
  return (
    <>
      <PageHeader title={t('batch.tools.title')} />
      <div className="hf-tool-cards">
        {TOOLS.map(({ path, title, text }) => (
          <Link key={path} className="hf-panel hf-tool-card" to={`/mpc/tools/${path}`}>
            <h2>{t(title)}</h2>
            <span className="hf-muted">{t(text)}</span>
          </Link>
        ))}
      </div>
    </>
  )
}
