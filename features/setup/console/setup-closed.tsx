import { Button, PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

/** What the set-up page says once there is an organisation and the visitor is not its founder. */
export function SetupClosed() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <section className="hf-auth">
      <PageHeader title={t('setup.closed.title')}>{t('setup.closed.note')}</PageHeader>
      <Button variant="primary" size="large" block onClick={() => void navigate('/mpc/wallet')}>
        {t('setup.closed.action')}
      </Button>
    </section>
  )
}
