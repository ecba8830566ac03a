import './co-signer.css'
import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { usePermission } from '@holdfast/features/session/console'
import {
  Button,
  confirm,
  ErrorState,
  Facts,
  Label,
  lazyDrawerBody,
  LoadingState,
  Note,
  RelativeTime,
  StatusTag,
  Tabs,
  Time,
  type Tone,
  useDrawers,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { checkCollecting, getCollecting, scanAll, setCollectingStatus } from '../contract.ts'
import { BlackList } from './black-list.tsx'
import { NetworkList } from './network-list.tsx'
import { OfWallet } from './of-wallet.tsx'
import { RecordList } from './record-list.tsx'
import { RuleList } from './rule-list.tsx'

const WalletsDrawer = lazyDrawerBody(() => import('./wallets-drawer.tsx').then((module) => module.WalletsDrawer))
const ScopeDrawer = lazyDrawerBody(() => import('./scope-drawer.tsx').then((module) => module.ScopeDrawer))
const RunDrawer = lazyDrawerBody(() => import('./run-drawer.tsx').then((module) => module.RunDrawer))

export type Collecting = OutputOf<typeof getCollecting>

const TONES: Record<Collecting['status'], Tone> = { off: 'neutral', pending: 'warn', running: 'active', paused: 'warn', stopped: 'bad' }
const TABS = ['coins', 'networks', 'records', 'black'] as const

/** How the coins of a wallet are collected: set up, running, and what it did. */
export function CollectingPage() {
  const { t } = useTranslation('coSigner')
  return (
    <OfWallet
      title={t('collect.title')}
      lead={t('collect.lead')}
      actions={() => (
        <>
          <Link className="hf-button hf-button-default hf-button-middle" to="/mpc/coSigner/fundsDetail">
            {t('collect.toFunds')}
          </Link>
          <Link className="hf-button hf-button-default hf-button-middle" to="/mpc/coSigner/logs">
            {t('collect.toLog')}
          </Link>
          <Link className="hf-button hf-button-default hf-button-middle" to="/mpc/coSigner/messageNotification">
            {t('collect.notice.open')}
          </Link>
        </>
      )}
    >
      {(walletId) => <Shown walletId={walletId} />}
    </OfWallet>
  )
}

function Shown({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const [tab, setTab] = useState<(typeof TABS)[number]>('coins')
  const { data, error, refetch } = useEndpoint(getCollecting, { wallet_id: walletId })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />
  return (
    <div className="hf-stack-wide">
      <SetUp walletId={walletId} of={data} />
      <Tabs label={t('collect.title')} tabs={TABS.map((key) => ({ key, label: t(`collect.tab.${key}`) }))} active={tab} onChange={setTab}>
        {tab === 'coins' && <RuleList walletId={walletId} />}
        {tab === 'networks' && <NetworkList walletId={walletId} />}
        {tab === 'records' && <RecordList walletId={walletId} />}
        {tab === 'black' && <BlackList walletId={walletId} />}
      </Tabs>
    </div>
  )
}

/** How far it is, what waits for an approval, and running and pausing it. */
function SetUp({ walletId, of }: { walletId: string; of: Collecting }) {
  const { t } = useTranslation('coSigner')
  const drawers = useDrawers()
  const mayWrite = usePermission('co_signer.write')
  const check = useEndpoint(checkCollecting, { wallet_id: walletId })
  const status = useSend(setCollectingStatus)
  const scan = useSend(scanAll)
  const { progress, status: state, unapproved, pending, collect, fuel, scope, until, looked_at: looked, signers, co_signers: coSigners } = of
  const pause = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('collect.pause.title'),
      content: t('collect.pause.text'),
      confirmText: t('collect.pause.do'),
      remark: true,
    })
    if (answer.outcome === 'confirm') status.mutate({ wallet_id: walletId, status: 'pause', remark: answer.remark })
  }
  const run = () => void drawers.push({ title: t('collect.run.title'), body: <RunDrawer walletId={walletId} of={of} /> })
  const nameOf = (place: Collecting['collect']) => (place ? <Label text={`${place.wallet_name} / ${place.sub_wallet_name}`} /> : t('collect.none'))
  // Whether signers are online, and people approved it, is not what is asked for.
  const isComplete = check.data?.items.every(({ key, ok }) => ok || key === 'signers' || key === 'approval') === true
  const canRun = state === 'off' || state === 'paused' || state === 'stopped' || unapproved.length > 0
  return (
    <section className="hf-panel hf-stack" aria-labelledby="collect-state">
      <div className="hf-collect-head">
        <h2 id="collect-state">{t('collect.state')}</h2>
        <StatusTag tone={TONES[state]} text={t(`collect.status.${state}`)} />
        <span className="hf-grow" />
        {mayWrite && (
          <>
            {state === 'running' && (
              <>
                <Button size="small" loading={scan.isPending} onClick={() => scan.mutate({ wallet_id: walletId })}>
                  {t('collect.scan')}
                </Button>
                <Button size="small" variant="danger" loading={status.isPending} onClick={() => void pause()}>
                  {t('collect.pause.open')}
                </Button>
              </>
            )}
            {canRun && (
              <Button size="small" variant="primary" disabled={!isComplete} onClick={run}>
                {state === 'paused' && unapproved.length === 0 ? t('collect.run.again') : t('collect.run.open')}
              </Button>
            )}
          </>
        )}
      </div>
      {progress < 100 && (
        <div className="hf-collect-progress">
          <progress value={progress} max={100} aria-label={t('collect.progress')} />
          <span className="hf-numbers">{progress} %</span>
        </div>
      )}
      {progress < 100 && check.data && (
        <ul className="hf-collect-steps">
          {check.data.items.map(({ key, ok }) => (
            <li key={key}>
              <StatusTag tone={ok ? 'good' : 'neutral'} text={t(ok ? 'collect.step.done' : 'collect.step.open')} /> {t(`collect.step.${key}`)}
            </li>
          ))}
        </ul>
      )}
      {pending.map(({ trade_no: id, kind, approval_url: url }) => (
        <Note key={id} tone="info" title={t(`collect.waits.${kind}`)}>
          <ApprovalLink href={url}>{t('standing.decide')}</ApprovalLink>
        </Note>
      ))}
      {state !== 'off' && state !== 'stopped' && unapproved.length > 0 && (
        <Note tone="warn" title={t('collect.unapproved.title')}>
          <ul>
            {unapproved.map(({ what, name }) => (
              <li key={`${what} ${name}`}>{t(`collect.unapproved.${what}`, { name })}</li>
            ))}
          </ul>
        </Note>
      )}
      {state === 'stopped' && (
        <Note tone="bad" title={t('collect.stopped')}>
          {t('collect.stoppedText')}
        </Note>
      )}
      <Facts
        columns={2}
        facts={[
          { label: t('collect.collectWallet'), value: nameOf(collect) },
          { label: t('collect.fuelWallet'), value: nameOf(fuel) },
          { label: t('collect.scope.title'), value: t(`collect.scope.${scope}`) },
          { label: t('collect.signers'), value: t('collect.signersOf', signers) },
          coSigners.length > 0
            ? {
                label: t('collect.coSigners'),
                value: t('collect.signersOf', { online: coSigners.filter((each) => each.online).length, total: coSigners.length }),
              }
            : undefined,
          until !== null ? { label: t('standing.until'), value: <Time ms={until} /> } : undefined,
          looked !== null ? { label: t('standing.looked'), value: <RelativeTime ms={looked} /> } : undefined,
        ]}
      />
      {mayWrite && (
        <div className="hf-row">
          <Button
            size="small"
            onClick={() =>
              void drawers.push({ title: t('collect.wallets.title'), body: <WalletsDrawer walletId={walletId} of={of} /> }, { maskClosable: false })
            }
          >
            {t('collect.wallets.open')}
          </Button>
          <Button
            size="small"
            onClick={() => void drawers.push({ title: t('collect.scope.title'), body: <ScopeDrawer walletId={walletId} /> }, { maskClosable: false })}
          >
            {t('collect.scope.open')}
          </Button>
        </div>
      )}
    </section>
  )
}
