import './network.css'
import { usePermission } from '@holdfast/features/session/console'
import { Button, closePopup, lazyDrawerBody, Popup, useDrawers } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { NetworkMark } from './coin-mark.tsx'
import { acknowledgeAlarm, getNetworkStatus } from '../contract.ts'
import { type Health, healthOf, isSeenByPeople, type NetworkStatus, works } from './health.ts'

const ReadAgainDrawer = lazyDrawerBody(() => import('./read-again-drawer.tsx').then((module) => module.ReadAgainDrawer))

const ASK_EVERY_MS = 15_000
const DOTS: Record<Health, string> = { good: 'hf-dot-good', warn: 'hf-dot-warn', bad: 'hf-dot-bad' }

/** A dot that says whether payments can be made now; opened, it says what each network and signer does. */
export function NetworkHealth({ isOffline }: { isOffline: boolean }) {
  const { t } = useTranslation()
  const { data, isError } = useEndpoint(getNetworkStatus, {}, { refetchEveryMs: ASK_EVERY_MS })
  const health = isOffline || (isError && !data) ? 'bad' : data && healthOf(data)
  const state = isOffline ? 'offline' : (health ?? 'unknown')
  const [short, words] = [t(`network.short.${state}`), t(`network.health.${state}`)]
  const face = (
    <>
      <span className={`hf-dot ${health ? DOTS[health] : ''}`} aria-hidden />
      <span className="hf-health-word">{short}</span>
    </>
  )
  return (
    <Popup label={`${short}: ${words}`} face={face}>
      {data ? <Details status={data} isOffline={isOffline} /> : <p className="hf-health">{words}</p>}
    </Popup>
  )
}

function Details({ status, isOffline }: { status: NetworkStatus; isOffline: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="hf-health">
      {isOffline && <p className="hf-health-warning">{t('network.health.offline')}</p>}
      <Alarms status={status} />
      <h2>{t('network.networks')}</h2>
      <ul>
        {status.networks.map((network) => (
          <li key={network.chain}>
            <span className={`hf-dot ${works(network) ? 'hf-dot-good' : 'hf-dot-bad'}`} aria-hidden />
            <span className="hf-grow">
              <NetworkMark chain={network.chain} network={network.network} /> {network.network}
              {network.internal_transfers === 'by_balance' && <span className="hf-small hf-muted"> · {t('network.byBalance')}</span>}
              {network.local && <span className="hf-small hf-muted"> · {t('network.local')}</span>}
            </span>
            <span className="hf-small hf-muted hf-numbers">
              {network.height === null ? t('network.silent') : t('network.height', { height: network.height })}
            </span>
            {network.faucet_url !== null && (
              <a className="hf-small" href={network.faucet_url} target="_blank" rel="noopener">
                {t('network.faucet')}
              </a>
            )}
            <ReadAgain chain={network.chain} network={network.network} />
          </li>
        ))}
      </ul>
      <h2>{t('network.signers')}</h2>
      <ul>
        {status.signers.map((signer) => (
          <li key={signer.party}>
            <span className={`hf-dot ${signer.online ? 'hf-dot-good' : 'hf-dot-bad'}`} aria-hidden />
            <span className="hf-grow">{signer.name}</span>
            <span className="hf-small hf-muted">{t(signer.online ? 'network.online' : 'network.offline')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Leads to where blocks can be read again, for whoever decides about deposits. */
function ReadAgain({ chain, network }: { chain: string; network: string }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const may = usePermission('deposit.audit')
  if (!may) return null
  const title = t('network.again.title', { network })
  const open = (event: { currentTarget: Element }) => {
    closePopup(event.currentTarget)
    void drawers.push({ title, body: <ReadAgainDrawer chain={chain} network={network} /> })
  }
  return (
    <Button size="small" variant="quiet" label={t('network.again.openFor', { network })} onClick={open}>
      {t('network.again.open')}
    </Button>
  )
}

/** What stands still or is missing, in words, and the finding itself, which nobody translates. */
function Alarms({ status: { networks, alarms } }: { status: NetworkStatus }) {
  const { t } = useTranslation()
  const halts = networks.flatMap(({ chain, network, halt }) =>
    halt ? [{ key: chain, spendId: null, alarm: undefined, words: t('network.halted', { network }), reason: halt.reason }] : [],
  )
  const found = alarms
    .map((alarm) => ({ ...alarm, alarm }))
    .map(({ alarm, cause, chain, network, symbol, address, reason, pull_id: spendId }) => ({
      key: spendId ?? `${cause} ${chain} ${symbol} ${address}`,
      spendId,
      alarm,
      words: t(`network.alarm.${cause}`, { network, symbol }),
      reason: address === null ? reason : `${address}: ${reason}`,
    }))
  if (halts.length + found.length === 0) return null
  return (
    <ul className="hf-health-alarms" role="alert">
      {[...halts, ...found].map(({ key, words, reason, spendId, alarm }) => (
        <li key={key}>
          <span className="hf-health-warning">{words}</span>
          <span className="hf-small hf-muted hf-health-reason">{reason}</span>
          {alarm && <Acknowledge alarm={alarm} />}
          {spendId !== null && (
            <Link
              className="hf-small"
              to={`/mpc/center/wallet/transactions?wallets=all&order=${spendId}&kind=pull`}
              onClick={(event) => closePopup(event.currentTarget)}
            >
              {t('network.showAllowanceSpend')}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Ends an alarm that a person ends by having looked into it; nothing for the others. */
function Acknowledge({ alarm: { cause, chain, contract, address } }: { alarm: NetworkStatus['alarms'][number] }) {
  const { t } = useTranslation()
  const acknowledge = useSend(acknowledgeAlarm)
  if (!isSeenByPeople(cause)) return null
  const send = () => acknowledge.mutateAsync({ chain, contract, cause, address: address ?? '' }).catch(() => undefined)
  return (
    <Button size="small" loading={acknowledge.isPending} onClick={() => void send()}>
      {t('network.acknowledge')}
    </Button>
  )
}
