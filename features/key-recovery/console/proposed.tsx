import { Button, ButtonLink, DrawerBody, DrawerFooter, IconExternal, Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

/** What happens to an order after it was proposed. */
export function Proposed({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useTranslation('privateKeyRecovery')
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('proposed.title')}>
          {t('proposed.text')}
        </Note>
      </DrawerBody>
      <DrawerFooter>
        <ButtonLink href={url} iconEnd={<IconExternal />}>
          {t('change.look')}
        </ButtonLink>
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      </DrawerFooter>
    </>
  )
}
