import { usePermission } from '@holdfast/features/session/console'
import { Address, Amount, Button, Facts, Label, lazyDrawerBody, MISSING, Note, plainText, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Agent } from './agent-page.tsx'

const AskRentDrawer = lazyDrawerBody(() => import('./ask-rent-drawer.tsx').then((module) => module.AskRentDrawer))

/** So many characters of what a provider calls itself, and its host. */
const PROVIDER_MAX = 160

/** How energy is rented where nobody lends: by whom, who pays, and within which limits. */
export function RentPart({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const drawers = useDrawers()
  const mayAsk = usePermission('policy.propose')
  const { rent, symbol, prices } = agent
  const { market, payer, standing } = rent
  const coin = (value: string) => <Amount value={value} unit={symbol} />
  const price = prices.find(({ type }) => type === 'rent')
  const isOther = market !== null && standing !== null && market.pay_to !== standing.pay_to
  return (
    <section className="hf-panel hf-stack" aria-labelledby="tron-agent-rent">
      <div className="hf-spread">
        <h2 id="tron-agent-rent">{t('tronAgent.rent.title')}</h2>
        <div className="hf-row">
          {mayAsk && market && payer && (
            <Button
              size="small"
              label={t('tronAgent.askRent.open')}
              onClick={() =>
                void drawers.push({ title: t('tronAgent.askRent.open'), body: <AskRentDrawer agent={agent} payer={payer} market={market} /> }, { width: 900 })
              }
            >
              {t('tronAgent.ask.open')}
            </Button>
          )}
          <StatusTag tone={rent.enabled ? 'active' : 'neutral'} text={rent.enabled ? t('tronAgent.isOn') : t('tronAgent.isOff')} />
        </div>
      </div>
      {isOther && (
        <Note tone="bad" title={t('tronAgent.reason.rent_other_address')}>
          {t('tronAgent.change.rent_other_address')}
        </Note>
      )}
      <Facts
        columns={2}
        facts={[
          { label: t('tronAgent.rent.market'), value: market ? plainText(`${market.label} (${market.host})`, PROVIDER_MAX) : t('tronAgent.rent.noMarket') },
          { label: t('tronAgent.rent.price'), value: price ? t('tronAgent.rent.priceOf', { price: price.price_sun, hours: market?.hours ?? 1 }) : MISSING },
          { label: t('tronAgent.rent.payTo'), value: market ? <Address address={market.pay_to} /> : MISSING, wide: true },
          { label: t('tronAgent.rent.payer'), value: payer ? <Label text={payer.name} wrap /> : MISSING },
          { label: t('tronAgent.terms.standing'), value: standing ? <Label text={standing.name} wrap /> : t('tronAgent.terms.noStanding') },
          standing ? { label: t('tronAgent.rent.signersMost'), value: coin(standing.at_most_trx) } : undefined,
          standing?.day_most_trx != null ? { label: t('tronAgent.rent.signersDay'), value: coin(standing.day_most_trx) } : undefined,
          standing ? { label: t('tronAgent.terms.until'), value: <Time ms={standing.until} /> } : undefined,
          { label: t('tronAgent.rent.most'), value: coin(rent.max_trx) },
          { label: t('tronAgent.rent.budget'), value: coin(rent.budget_day) },
          { label: t('tronAgent.rent.today'), value: coin(rent.today_trx) },
        ]}
      />
    </section>
  )
}
