import './network.css'
import { IconExternal } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listOpenCoins } from '../contract.ts'
import { fillLink } from '../explorers.ts'

type Looked = { chain: string; txid?: string | null; address?: string | null }

/** Where a transaction or an address can be looked at outside, with the host each link leads to. Nothing if no explorer is configured. */
export function useExplorers({ chain, txid, address }: Looked): { host: string; url: string }[] {
  const { data } = useEndpoint(listOpenCoins, {})
  const explorers = data?.support_main_chain.find((each) => each.chain === chain)?.explorers ?? []
  return explorers.flatMap(({ host, tx_link: txLink, address_link: addressLink }) => {
    if (txid) return [{ host, url: fillLink(txLink, txid) }]
    return address ? [{ host, url: fillLink(addressLink, address) }] : []
  })
}

/** Opens a page of somebody else, which learns nothing of this one but the address it is asked for. */
export function openOutside(url: string): void {
  window.open(url, '_blank', 'noopener,noreferrer')
}

/** Links to the explorers of a network, each by the host it leads to. */
export function ExplorerLinks(looked: Looked) {
  const { t } = useTranslation()
  const explorers = useExplorers(looked)
  if (explorers.length === 0) return null
  return (
    <span className="hf-explorers">
      {explorers.map(({ host, url }) => (
        <a key={url} className="hf-small hf-nowrap" href={url} target="_blank" rel="noopener noreferrer" title={t('network.explorer.leads', { host })}>
          {t('network.explorer.open', { host })} <IconExternal />
        </a>
      ))}
    </span>
  )
}
