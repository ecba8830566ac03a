import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { SentPage } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

/** Says that the call was asked for, and leads to where it is decided. */
export function CallSent({ href }: { href: string }) {
  const { t } = useTranslation()
  const link = (
    <ApprovalLink variant="primary" href={href}>
      {t('contractCall.openApproval')}
    </ApprovalLink>
  )
  return <SentPage title={t('contractCall.asked')} note={t('contractCall.askedNote')} link={link} />
}
