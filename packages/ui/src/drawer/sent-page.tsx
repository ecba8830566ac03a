import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../base/button.tsx'
import { Note } from '../feedback/note.tsx'
import { useDrawerPage } from './drawer-context.ts'
import { DrawerBody, DrawerFooter } from './drawer-parts.tsx'

type SentPageProps = { title: string; note: string; link: ReactNode }

/** What a form becomes when what it asked for waits for others: says so, and leads to where they decide. */
export function SentPage({ title, note, link }: SentPageProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={title}>
          {note}
        </Note>
        <div className="hf-row">{link}</div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      </DrawerFooter>
    </>
  )
}
