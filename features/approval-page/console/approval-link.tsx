import './approval-page.css'
import { ButtonLink, IconExternal } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { choosePages, getApprovalPages, onPage } from '../contract.ts'

/** A page can stop to be served at any moment, and nothing tells the console of it. */
const ASK_EVERY_MS = 20_000

type Links = { href: string; others: { page: string; href: string }[] }

/** Where to open what a link to an approval page is about: at the page that leads now, and beside it at the others that serve the caller. */
export function useApprovalLinks(): (href: string) => Links {
  const { data } = useEndpoint(getApprovalPages, {}, { refetchEveryMs: ASK_EVERY_MS })
  const { lead, others } = choosePages(data?.pages ?? [])
  return (href) => ({
    href: lead === undefined ? href : onPage(href, lead),
    others: others.map((origin) => ({ page: new URL(origin).host, href: onPage(href, origin) })),
  })
}

type ApprovalLinkProps = Omit<ComponentProps<typeof ButtonLink>, 'iconEnd'>

/** The way to an approval page, for everything that is read and decided there. Each other page that serves the caller stands quietly beside it. */
export function ApprovalLink({ href: first, ...look }: ApprovalLinkProps) {
  const { t } = useTranslation()
  const { href, others } = useApprovalLinks()(first)
  return (
    <>
      <ButtonLink {...look} href={href} iconEnd={<IconExternal />} />
      {others.map((other) => {
        const words = t('approvalPage.orAt', { page: other.page })
        return (
          <a
            key={other.page}
            className="hf-other-page"
            href={other.href}
            target="_blank"
            rel="noopener"
            aria-label={look.label === undefined ? undefined : `${words}: ${look.label}`}
          >
            {words}
          </a>
        )
      })}
    </>
  )
}
