import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { useCurrentWallet } from '@holdfast/features/wallet/console'
import { EmptyState, ErrorState, LoadingState, Note, PageHeader, type Tone } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { getCollector } from '../contract.ts'

export const HOME = '/mpc/center/collection'
export type Collector = OutputOf<typeof getCollector>

export const TONES: Record<Collector['status'], Tone> = { draft: 'neutral', publishing: 'warn', running: 'active', paused: 'warn', stopped: 'bad' }

/** What an address signs that delegates, in plain words. */
export function Everything() {
  const { t } = useTranslation('collection')
  return (
    <Note tone="warn" title={t('collector.way.everything')}>
      {t('collector.way.everythingText')}
    </Note>
  )
}

type OfWay = (way: Collector['way']) => string

/** A page about the collector that the address names; its words may differ by how that gets at tokens. */
export function OfCollector({ title, lead, children }: { title: string | OfWay; lead: string | OfWay; children: (of: Collector) => ReactNode }) {
  const { id = '' } = useParams()
  const { data, error, refetch } = useEndpoint(getCollector, { id })
  const said = (words: string | OfWay) => (typeof words === 'string' ? words : words(data?.way ?? 'allowance'))
  return (
    <>
      <PageHeader title={said(title)} actions={data && <BackTo id={id} name={data.name} />}>
        {said(lead)}
      </PageHeader>
      {data ? <div key={id}>{children(data)}</div> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}
    </>
  )
}

/** One up: from the collector to the list, and from what is set of it to the collector. */
function BackTo({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('collection')
  const own = `${HOME}/detail/${id}`
  const isThere = useLocation().pathname === own
  return (
    <Link className="hf-button hf-button-default hf-button-middle" to={isThere ? HOME : own}>
      {isThere ? t('collector.toAll') : name}
    </Link>
  )
}

/** A page about the wallet in use. */
export function OfWallet({ title, lead, actions, children }: { title: string; lead: string; actions?: ReactNode; children: (walletId: string) => ReactNode }) {
  const { t } = useTranslation('collection')
  const { wallet, isKnown, error, refetch } = useCurrentWallet()
  return (
    <>
      <PageHeader title={title} actions={wallet && actions}>
        {lead}
      </PageHeader>
      {wallet ? (
        <div key={wallet.wallet_id}>{children(wallet.wallet_id)}</div>
      ) : isKnown ? (
        <EmptyState drawing="coins" title={t('collector.noWallet')} action={<Link to="/mpc/wallet">{t('collector.toWallets')}</Link>} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={8} />
      )}
    </>
  )
}
