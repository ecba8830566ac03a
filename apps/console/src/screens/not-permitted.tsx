import { useSession, useSignOut } from '@holdfast/features/session/console'
import { Button, PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useServices } from '../services-context.ts'

/** Where the console leads when the server says that somebody may not do what they tried. */
export function NotPermitted() {
  const { t } = useTranslation()
  const { leave } = useServices()
  const session = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut(leave)
  return (
    <section className="hf-auth">
      <PageHeader title={t('console.notPermitted.title')}>{t('console.notPermitted.text')}</PageHeader>
      <div className="hf-stack">
        <Button variant="primary" size="large" block onClick={() => void navigate('/mpc/wallet')}>
          {t('console.notPermitted.home')}
        </Button>
        {session?.session && (
          <Button size="large" block onClick={() => void signOut()}>
            {t('console.notPermitted.signOut')}
          </Button>
        )}
      </div>
    </section>
  )
}
