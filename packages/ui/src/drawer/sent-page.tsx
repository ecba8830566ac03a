import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../components/button.tsx'
import { Note } from '../components/note.tsx'
import { IconExternal } from '../components/icons.tsx'
import { useDrawerPage } from './drawer-context.ts'
import { DrawerBody, DrawerFooter } from './drawer-parts.tsx'

type SentPageProps = { title: string; note: string; href: string; link: string }

/** What a form becomes when what it asked for waits for others: says so, and leads to where they decide. */
export function SentPage({ title, note, href, link }: SentPageProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={title}>
          {note}
        </Note>
        <div>
          <ButtonLink variant="primary" href={href} iconEnd={<IconExternal />}>
            {link}
          </ButtonLink>
        </div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      </DrawerFooter>
    </>
  )
}
