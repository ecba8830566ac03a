import './standing-order.css'
import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { usePermission } from '@holdfast/features/session/console'
import {
  Button,
  EmptyState,
  ErrorState,
  Label,
  lazyDrawerBody,
  LoadingState,
  Note,
  PageHeader,
  RelativeTime,
  StatusTag,
  Time,
  type Tone,
  useDrawers,
} from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listStandingOrders } from '../contract.ts'

const TermsDrawer = lazyDrawerBody(() => import('./terms-drawer.tsx').then((module) => module.TermsDrawer))
const ReasonsDrawer = lazyDrawerBody(() => import('./reasons-drawer.tsx').then((module) => module.ReasonsDrawer))
const PaymentsDrawer = lazyDrawerBody(() => import('./schedule/payments-drawer.tsx').then((module) => module.PaymentsDrawer))
const AskDrawer = lazyDrawerBody(() => import('./ask-drawer.tsx').then((module) => module.AskDrawer))
const NextDrawer = lazyDrawerBody(() => import('./ask-drawer.tsx').then((module) => module.NextDrawer))

export type StandingOrder = OutputOf<typeof listStandingOrders>['list'][number]

const TONES: Record<StandingOrder['state'], Tone> = { active: 'active', waiting: 'neutral', stopped: 'bad', over: 'neutral' }

/** Everything that is done without asking again, what it moved, and where one person stops it. */
export function StandingOrdersPage() {
  const { t } = useTranslation('coSigner')
  const drawers = useDrawers()
  const mayAsk = usePermission('policy.propose')
  const { data, error, refetch } = useEndpoint(listStandingOrders, {})
  const ask = () => void drawers.push({ title: t('standing.ask.open'), body: <AskDrawer /> }, { width: 900, maskClosable: false })
  const actions = (
    <>
      {data && data.list.some(({ state }) => state === 'active') && <ApprovalLink href={data.stop_url}>{t('standing.stopAll')}</ApprovalLink>}
      {mayAsk && (
        <>
          <Link className="hf-button hf-button-default hf-button-middle" to="/mpc/standingOrders/schedule">
            {t('standing.schedule.open')}
          </Link>
          <Button variant="primary" onClick={ask}>
            {t('standing.ask.open')}
          </Button>
        </>
      )}
    </>
  )
  return (
    <>
      <PageHeader title={t('standing.title')} actions={actions}>
        {t('standing.lead')}
      </PageHeader>
      {data ? <Shown {...data} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}
    </>
  )
}

function Shown({ list, proposed, stop_url: stopUrl }: OutputOf<typeof listStandingOrders>) {
  const { t } = useTranslation('coSigner')
  return (
    <div className="hf-stack-wide">
      {proposed.map(({ signer_order_id: id, title, approval_url: url }) => (
        <Note key={id} tone="info" title={t('standing.waits')}>
          <Label text={title} wrap /> <ApprovalLink href={url}>{t('standing.decide')}</ApprovalLink>
        </Note>
      ))}
      {list.length === 0 && proposed.length === 0 && <EmptyState title={t('standing.none')}>{t('standing.noneText')}</EmptyState>}
      <ul className="hf-standing-order-list">
        {list.map((each) => (
          <StandingCard key={each.id} order={each} stopUrl={stopUrl} />
        ))}
      </ul>
    </div>
  )
}

function StandingCard({ order, stopUrl }: { order: StandingOrder; stopUrl: string }) {
  const { t } = useTranslation('coSigner')
  const drawers = useDrawers()
  const mayAsk = usePermission('policy.propose')
  const { id, name, version, kind, state, stopped, until, looked_at: lookedAt, moved, moving, waiting, open_version: next, rows } = order
  return (
    <li className="hf-panel hf-standing-order">
      <div className="hf-standing-order-head">
        <h2>
          <Label text={name} wrap />
        </h2>
        <StatusTag tone={TONES[state]} text={t(`standing.state.${state}`)} />
        <span className="hf-small hf-muted">{t(`standing.kind.${kind}`)}</span>
        <span className="hf-small hf-muted hf-numbers">{t('standing.version', { version })}</span>
      </div>
      {stopped && (
        <Note tone="bad" title={t('standing.stoppedBy', { name: stopped.by.name })}>
          <RelativeTime ms={stopped.at} /> {stopped.reason !== '' && <Label text={stopped.reason} wrap />}
          <p>{t('standing.again')}</p>
        </Note>
      )}
      {next && (
        <Note tone="info" title={t('standing.nextWaits')}>
          <ApprovalLink href={next.approval_url}>{t('standing.decide')}</ApprovalLink>
        </Note>
      )}
      <dl className="hf-standing-order-figures">
        <div>
          <dt>{t('standing.moved')}</dt>
          <dd>
            {moved.length === 0 ? (
              <span className="hf-muted">{t('standing.movedNothing')}</span>
            ) : (
              moved.map(({ chain, network, symbol, amount, count }) => (
                <span key={`${chain} ${symbol}`} className="hf-standing-order-sum">
                  <strong className="hf-numbers">
                    {amount} {symbol}
                  </strong>
                  <span className="hf-small hf-muted">{t('standing.movedIn', { network, count })}</span>
                </span>
              ))
            )}
          </dd>
        </div>
        <div>
          <dt>{t('standing.moving')}</dt>
          <dd className="hf-numbers">{moving}</dd>
        </div>
        {kind !== 'schedule' && (
          <div>
            <dt>{t('standing.left')}</dt>
            <dd className="hf-numbers">{waiting}</dd>
          </div>
        )}
        <div>
          <dt>{t('standing.until')}</dt>
          <dd>
            <Time ms={until} />
          </dd>
        </div>
        {state === 'active' && (
          <div>
            <dt>{t('standing.looked')}</dt>
            <dd>{lookedAt === null ? t('standing.lookedNever') : <RelativeTime ms={lookedAt} />}</dd>
          </div>
        )}
      </dl>
      <div className="hf-row">
        <Button size="small" onClick={() => void drawers.push({ title: name, body: <TermsDrawer rows={rows} /> }, { width: 900 })}>
          {t('standing.terms')}
        </Button>
        {kind === 'schedule' ? (
          <Button
            size="small"
            onClick={() => void drawers.push({ title: t('standing.payment.titleOf', { name }), body: <PaymentsDrawer id={id} /> }, { width: 900 })}
          >
            {t('standing.payment.title')}
          </Button>
        ) : (
          <Button
            size="small"
            onClick={() => void drawers.push({ title: t('standing.reasons.title', { name }), body: <ReasonsDrawer id={id} /> }, { width: 900 })}
          >
            {t('standing.reasons.open')}
          </Button>
        )}
        {mayAsk &&
          !next &&
          (kind === 'schedule' ? (
            <Link className="hf-button hf-button-default hf-button-small" to={`/mpc/standingOrders/schedule?next=${id}`}>
              {t('standing.nextOpen')}
            </Link>
          ) : (
            <Button
              size="small"
              onClick={() => void drawers.push({ title: t('standing.next', { name }), body: <NextDrawer id={id} /> }, { width: 900, maskClosable: false })}
            >
              {t('standing.nextOpen')}
            </Button>
          ))}
        {state === 'active' && <ApprovalLink href={stopUrl}>{t('standing.stop')}</ApprovalLink>}
      </div>
    </li>
  )
}
