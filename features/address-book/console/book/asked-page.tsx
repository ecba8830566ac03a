import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { Button, DrawerBody, DrawerFooter, Note, useDrawerPage } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

/** That people are asked now, and where they decide. */
export function AskedPage({ href }: { href: string }) {
  const { t } = useTranslation('whiteAddress')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('book.asked.title')}>
          {t('book.asked.text')}
        </Note>
      </DrawerBody>
      <DrawerFooter>
        <ApprovalLink href={href}>{t('book.asked.open')}</ApprovalLink>
        <Button variant="primary" onClick={() => close()}>
          {common('ui.drawer.close')}
        </Button>
      </DrawerFooter>
    </>
  )
}
