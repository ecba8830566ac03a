import './agent.css'
import { PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { ReceiversPart } from '../receivers-part.tsx'
import { AgentLinks } from './agent-links.tsx'

/** Who is told by e-mail where an address runs out, or lending has stopped. */
export function NoticesPage() {
  const { t } = useTranslation('tools')
  return (
    <>
      <PageHeader title={t('tronAgent.notices.title')}>{t('tronAgent.notices.lead')}</PageHeader>
      <AgentLinks />
      <ReceiversPart />
    </>
  )
}
