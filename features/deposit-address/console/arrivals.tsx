import type { OutputOf } from '@holdfast/contract'
import { Amount, StatusTag, type Tone } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listArrivals } from '../contract.ts'

type Arrival = OutputOf<typeof listArrivals>['list'][number]

const TONES: Record<Arrival['state'], Tone> = { pending: 'neutral', confirming: 'active', held: 'warn', credited: 'good' }

/** What is arriving of a coin while one watches. */
export function Arrivals({ subWalletId, chain, symbol }: { subWalletId: string; chain: string; symbol: string }) {
  const { t } = useTranslation()
  const { data } = useEndpoint(listArrivals, { sub_wallet_id: subWalletId, chain, symbol })
  const list = data?.list ?? []
  return (
    <section className="hf-stack-tight" aria-labelledby="arrivals">
      <h3 id="arrivals">{t('depositAddress.arrivals.title')}</h3>
      <div role="status">
        {list.length === 0 ? (
          <p className="hf-small hf-muted">{t('depositAddress.arrivals.none')}</p>
        ) : (
          <ul className="hf-arrivals">
            {list.map((each) => (
              <li key={each.id}>
                <span className="hf-spread">
                  <span>
                    {t(each.state === 'credited' ? 'depositAddress.arrivals.arrived' : 'depositAddress.arrivals.arriving')}{' '}
                    <Amount value={each.amount} unit={symbol} />
                  </span>
                  <StatusTag tone={TONES[each.state]} text={t(`depositAddress.arrivals.state.${each.state}`, { done: each.confirmations, of: each.needed })} />
                </span>
                {each.state === 'confirming' && (
                  <span className="hf-meter" aria-hidden>
                    {Array.from({ length: each.needed }, (_, at) => (
                      <span key={at} className={at < each.confirmations ? 'hf-meter-done' : ''} />
                    ))}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
