import { useEndpoint } from '@holdfast/client'
import { NetworkChip } from '@holdfast/features/network/console'
import { Amount, RelativeTime } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listBookPayments } from '../../book-contract.ts'

const SHOWN = 5

/** The newest orders that pay an entry; nothing where there are none. */
export function EntryPayments({ id }: { id: string }) {
  const { t } = useTranslation('whiteAddress')
  const { data } = useEndpoint(listBookPayments, { id, page_no: 1, page_size: SHOWN })
  if (!data || data.list.length === 0) return null
  return (
    <section className="hf-stack-tight" aria-label={t('book.pays.title')}>
      <h3>{t('book.pays.title')}</h3>
      <ul className="hf-book-report">
        {data.list.map(({ order_id: order, chain, network, symbol, amount, recipients, at }) => (
          <li key={order}>
            <Link className="hf-grow" to={`/mpc/center/wallet/transactions?order=${order}`}>
              <Amount value={amount} unit={symbol} />
            </Link>
            {recipients > 1 && <span className="hf-small hf-muted">{t('book.pays.oneOf', { count: recipients })}</span>}
            <NetworkChip chain={chain} network={network} />
            <span className="hf-small hf-muted">
              <RelativeTime ms={at} />
            </span>
          </li>
        ))}
      </ul>
      {data.pageTotal > SHOWN && <span className="hf-small hf-muted">{t('book.pays.more', { count: data.pageTotal - SHOWN })}</span>}
    </section>
  )
}
