import { Button, ButtonLink, CopyButton, DrawerBody, DrawerFooter, IconExternal, Note, RelativeTime, useDrawerPage } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

export type Links = { sign_in_url: string | null; key_links: { page: string; url: string }[]; expires_at: number }

/** Links that are shown once, to be handed to one person by a way one trusts; or, of the reader's own, to be opened here (`opensHere`). */
export function LinksView({ links, name, opensHere = false }: { links: Links; name: string; opensHere?: boolean }) {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('links.title', { name })}>
          {t('links.note')} {t('links.until')} <RelativeTime ms={links.expires_at} />
        </Note>
        {links.sign_in_url !== null && <LinkRow title={t('links.signIn')} note={t('links.signInNote')} url={links.sign_in_url} copy={t('links.copySignIn')} />}
        {links.key_links.map(({ page, url }) => {
          const at = { page: new URL(page).host }
          const words = {
            title: t('links.key', at),
            note: t(links.key_links.length > 1 ? 'links.keysNote' : 'links.keyNote', at),
            copy: t('links.copyKey', at),
          }
          return <LinkRow key={page} {...words} url={url} opensHere={opensHere} />
        })}
      </DrawerBody>
      <DrawerFooter>
        <Button variant="primary" onClick={() => close()}>
          {t('links.done')}
        </Button>
      </DrawerFooter>
    </>
  )
}

type LinkRowProps = { title: string; note: string; url: string; copy: string; opensHere?: boolean }

function LinkRow({ title, note, url, copy, opensHere = false }: LinkRowProps) {
  const { t } = useTranslation('teamMember')
  return (
    <section className="hf-stack-tight">
      <h3>{title}</h3>
      <p className="hf-small hf-muted">{note}</p>
      <code className="hf-break hf-member-link">{url}</code>
      <div className="hf-row-tight">
        {opensHere && (
          <ButtonLink href={url} iconEnd={<IconExternal />}>
            {t('links.open')}
          </ButtonLink>
        )}
        <CopyButton text={url} label={copy} showLabel />
      </div>
    </section>
  )
}
