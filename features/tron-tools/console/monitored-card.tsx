import { useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import {
  Address,
  Amount,
  Button,
  confirm,
  exactAmount,
  Label,
  lazyDrawerBody,
  Note,
  Picker,
  RelativeTime,
  StatusTag,
  TimeChart,
  useDrawers,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type listMonitored, removeMonitored, SHORT_OF } from '../contract.ts'

const WatchDrawer = lazyDrawerBody(() => import('./watch-drawer.tsx').then((module) => module.WatchDrawer))

export type Monitored = OutputOf<typeof listMonitored>[number]

/** One watched address: what is left, what is low, when it runs out, and the curve of the last days. */
export function MonitoredCard({ of }: { of: Monitored }) {
  const { t } = useTranslation('tools')
  const drawers = useDrawers()
  const mayWrite = usePermission('tools.write')
  const remove = useSend(removeMonitored)
  const [chosen, setCurve] = useState<string>('energy')
  const curve = SHORT_OF.find((each) => each === chosen) ?? 'energy'
  const { chain, address, alert, symbol, energy, net, trx } = of
  const name = `${of.wallet_name} / ${of.sub_wallet_name}`
  const wordOf = (each: (typeof SHORT_OF)[number]) => (each === 'trx' ? symbol : t(`tronTools.of.${each}`))
  const change = () => void drawers.push({ title: t('tronTools.change'), body: <WatchDrawer of={of} /> })
  const end = async () => {
    const { outcome } = await confirm(drawers, {
      type: 'warning',
      title: t('tronTools.endTitle'),
      content: t('tronTools.endText'),
      confirmText: t('tronTools.end'),
    })
    if (outcome === 'confirm') remove.mutate({ chain, address })
  }
  return (
    <li className="hf-panel hf-tron-card">
      <div className="hf-spread">
        <h2>
          <Label text={name} wrap />
        </h2>
        {of.looked_at !== null && (
          <StatusTag
            tone={alert.length > 0 ? 'bad' : 'good'}
            text={alert.length > 0 ? t('tronTools.low', { what: alert.map(wordOf).join(', ') }) : t('tronTools.fine')}
          />
        )}
      </div>
      <div>
        <Address address={address} />
        <p className="hf-small hf-muted">
          <Label text={of.network} />
          {of.looked_at !== null && (
            <>
              {' · '}
              {t('tronTools.readAt')} <RelativeTime ms={of.looked_at} />
            </>
          )}
        </p>
      </div>
      {energy && net && trx !== null ? (
        <>
          <dl className="hf-tron-figures">
            {[
              { key: 'energy' as const, min: of.energy_min, ...energy },
              { key: 'net' as const, min: of.net_min, ...net },
            ].map(({ key, have, limit, min }) => (
              <div key={key}>
                <dt>{wordOf(key)}</dt>
                <dd>
                  <strong className="hf-numbers">{t('tronTools.leftOf', { have: exactAmount(have), limit: exactAmount(limit) })}</strong>
                  <Least min={min} />
                </dd>
              </div>
            ))}
            <div>
              <dt>{symbol}</dt>
              <dd>
                <strong>
                  <Amount value={trx} unit={symbol} />
                </strong>
                <Least min={of.trx_min} />
              </dd>
            </div>
          </dl>
          <Forecast of={of} wordOf={wordOf} />
          <TimeChart
            title={t('tronTools.chart', { what: wordOf(curve) })}
            area
            series={[{ key: curve, name: wordOf(curve), points: of.samples.map((each) => ({ atMs: each.at, value: each[curve] })) }]}
            actions={
              <Picker label={t('tronTools.chartOf')} value={curve} options={SHORT_OF.map((value) => ({ value, label: wordOf(value) }))} onChange={setCurve} />
            }
          />
        </>
      ) : (
        <Note tone="info">{t('tronTools.unread')}</Note>
      )}
      {mayWrite && (
        <div className="hf-row">
          <Button size="small" onClick={change} label={`${t('tronTools.change')}: ${name}`}>
            {t('tronTools.change')}
          </Button>
          <Button size="small" onClick={() => void end()} label={`${t('tronTools.end')}: ${name}`} loading={remove.isPending}>
            {t('tronTools.end')}
          </Button>
        </div>
      )}
    </li>
  )
}

function Least({ min }: { min: string }) {
  const { t } = useTranslation('tools')
  return <span className="hf-small hf-muted hf-numbers">{min === '0' ? t('tronTools.noLeast') : t('tronTools.least', { min: exactAmount(min) })}</span>
}

function Forecast({ of: { forecast_h: hours, forecast_of: what }, wordOf }: { of: Monitored; wordOf(each: (typeof SHORT_OF)[number]): string }) {
  const { t } = useTranslation('tools')
  if (hours === null || what === null) return <p className="hf-small hf-muted">{t('tronTools.steady')}</p>
  const when = hours === 0 ? t('tronTools.soon') : hours < 48 ? t('tronTools.hours', { count: hours }) : t('tronTools.days', { count: Math.floor(hours / 24) })
  return (
    <p>
      {t('tronTools.forecast', { what: wordOf(what) })} <strong>{when}</strong> <span className="hf-small hf-muted">{t('tronTools.forecastNote')}</span>
    </p>
  )
}
