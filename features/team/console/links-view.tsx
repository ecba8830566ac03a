import { Button, CopyButton, DrawerBody, DrawerFooter, Note, RelativeTime, useDrawerPage } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

export type Links = { sign_in_url: string | null; key_url: string | null; expires_at: number }

/** Links that are shown once, to be handed to one person by a way one trusts. */
export function LinksView({ links, name }: { links: Links; name: string }) {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('links.title', { name })}>
          {t('links.note')} {t('links.until')} <RelativeTime ms={links.expires_at} />
        </Note>
        {links.sign_in_url !== null && <LinkRow title={t('links.signIn')} note={t('links.signInNote')} url={links.sign_in_url} copy={t('links.copySignIn')} />}
        {links.key_url !== null && <LinkRow title={t('links.key')} note={t('links.keyNote')} url={links.key_url} copy={t('links.copyKey')} />}
      </DrawerBody>
      <DrawerFooter>
        <Button variant="primary" onClick={() => close()}>
          {t('links.done')}
        </Button>
      </DrawerFooter>
    </>
  )
}

function LinkRow({ title, note, url, copy }: { title: string; note: string; url: string; copy: string }) {
  return (
    <section className="hf-stack-tight">
      <h3>{title}</h3>
      <p className="hf-small hf-muted">{note}</p>
      <code className="hf-break hf-member-link">{url}</code>
      <CopyButton text={url} label={copy} showLabel />
    </section>
  )
}
