import { at } from '@holdfast/units'

/** A block explorer: links that hold `{txid}` or `{address}` where the transaction or the address stands. */
export type Explorer = { tx_link: string; address_link: string }

/**
 * Whether the links are of one host, each with its placeholder once and after the host, so that whatever is put there leads nowhere else.
 * Links are https; where `allowsPlain` says so also http.
 */
export function isExplorer({ tx_link: txLink, address_link: addressLink }: Explorer, allowsPlain: boolean): boolean {
  const isLink = (link: string, placeholder: string) => {
    const parts = link.split(placeholder)
    if (parts.length !== 2 || !URL.canParse(link) || !URL.canParse(at(parts, 0))) return false
    const { protocol, username, password, origin } = new URL(link)
    // The part before the placeholder is whole by itself: a placeholder in the host would make another one of it.
    const isWhole = at(parts, 0).length > origin.length && new URL(at(parts, 0)).origin === origin
    return (protocol === 'https:' || (allowsPlain && protocol === 'http:')) && username === '' && password === '' && isWhole
  }
  return isLink(txLink, '{txid}') && isLink(addressLink, '{address}') && hostOf(txLink) === hostOf(addressLink)
}

/** The host that a link leads to. */
export function hostOf(link: string): string {
  return new URL(link).host
}

/** A link with what it is about in the place of its placeholder. */
export function fillLink(link: string, about: string): string {
  return link.replace(/\{(txid|address)\}/, () => encodeURIComponent(about))
}
