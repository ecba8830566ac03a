import '../monitor.css'
import './agent.css'
import { useEndpoint, useSend } from '@holdfast/client'
import { CallError, type OutputOf } from '@holdfast/contract'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { usePermission } from '@holdfast/features/session/console'
import {
  Address,
  Amount,
  Button,
  confirm,
  EmptyState,
  ErrorState,
  exactAmount,
  Facts,
  Label,
  lazyDrawerBody,
  LoadingState,
  MISSING,
  Note,
  PageHeader,
  StatusTag,
  Time,
  TimeChart,
  useDrawers,
} from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { getAgent, switchAgent } from '../../agent-contract.ts'
import { AgentLinks } from './agent-links.tsx'
import { LoansPart } from './loans-part.tsx'
import { RentPart } from './rent-part.tsx'

const SettingsDrawer = lazyDrawerBody(() => import('./settings-drawer.tsx').then((module) => module.SettingsDrawer))
const LendDrawer = lazyDrawerBody(() => import('./lend-drawer.tsx').then((module) => module.LendDrawer))
const AskDrawer = lazyDrawerBody(() => import('./ask-drawer.tsx').then((module) => module.AskDrawer))

export type Agent = OutputOf<typeof getAgent>

/** Who lends energy before payments, what people approved of that, and what came of it. */
export function AgentPage() {
  const { t } = useTranslation('tools')
  const drawers = useDrawers()
  const mayWrite = usePermission('tools.write')
  const { data, error, refetch } = useEndpoint(getAgent, {})
  const hasNone = error instanceof CallError && error.code === resourceErrors.tron_no_data.code
  const actions = data && mayWrite && (
    <>
      {data.enabled && (
        <Button onClick={() => void drawers.push({ title: t('tronAgent.lend.open'), body: <LendDrawer agent={data} /> })}>{t('tronAgent.lend.open')}</Button>
      )}
      <Button onClick={() => void drawers.push({ title: t('tronAgent.settings.open'), body: <SettingsDrawer agent={data} /> })}>
        {t('tronAgent.settings.open')}
      </Button>
      <Switch agent={data} />
    </>
  )
  return (
    <>
      <PageHeader title={t('tronAgent.title')} actions={actions}>
        {t('tronAgent.lead')}
      </PageHeader>
      <AgentLinks />
      <div className="hf-stack-wide">
        {hasNone && (
          <div className="hf-panel">
            <EmptyState title={t('tronAgent.noNetwork')}>{t('tronAgent.noNetworkText')}</EmptyState>
          </div>
        )}
        {error && !hasNone && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingState rows={8} />}
        {data && (
          <>
            <Warnings agent={data} />
            <Steps agent={data} onAsk={() => void drawers.push({ title: t('tronAgent.ask.open'), body: <AskDrawer agent={data} /> }, { width: 900 })} />
            <Standing agent={data} />
            <RentPart agent={data} />
            <Today agent={data} />
            <LoansPart symbol={data.symbol} />
          </>
        )}
      </div>
    </>
  )
}

function Switch({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const drawers = useDrawers()
  const turn = useSend(switchAgent)
  const change = async () => {
    if (agent.enabled) {
      const asked = { type: 'warning' as const, title: t('tronAgent.offTitle'), content: t('tronAgent.offText'), confirmText: t('tronAgent.off') }
      if ((await confirm(drawers, asked)).outcome === 'confirm') turn.mutate({ enabled: false })
      return
    }
    const asked = { type: 'info' as const, title: t('tronAgent.onTitle'), content: t('tronAgent.onText'), confirmText: t('tronAgent.on') }
    if ((await confirm(drawers, asked)).outcome === 'confirm') turn.mutate({ enabled: true })
  }
  return (
    <Button
      {...(!agent.enabled && { variant: 'primary' as const })}
      onClick={() => void change()}
      loading={turn.isPending}
      disabled={agent.auth_address === null}
    >
      {agent.enabled ? t('tronAgent.off') : t('tronAgent.on')}
    </Button>
  )
}

function Warnings({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  return (
    <>
      {agent.permission_ok === false && (
        <Note tone="bad" title={t('tronAgent.permission.changed')}>
          {t('tronAgent.permission.changedText')}
        </Note>
      )}
      {agent.enabled && agent.standing === null && (
        <Note tone="warn" title={t('tronAgent.noStanding')}>
          {t('tronAgent.noStandingText')}
        </Note>
      )}
    </>
  )
}

function Steps({ agent, onAsk }: { agent: Agent; onAsk: () => void }) {
  const { t } = useTranslation('tools')
  const mayAsk = usePermission('policy.propose')
  const isStaked = agent.lender !== null && agent.lender.energy.limit !== '0'
  const steps = [
    { key: 'lender', isDone: agent.auth_address !== null },
    { key: 'stake', isDone: isStaked },
    { key: 'approve', isDone: agent.standing !== null },
    { key: 'accounts', isDone: agent.accounts_on > 0 },
    { key: 'on', isDone: agent.enabled },
  ] as const
  return (
    <section className="hf-panel hf-stack" aria-labelledby="tron-agent-steps">
      <div className="hf-spread">
        <h2 id="tron-agent-steps">{t('tronAgent.steps.title')}</h2>
        <StatusTag tone={agent.enabled ? 'active' : 'neutral'} text={agent.enabled ? t('tronAgent.isOn') : t('tronAgent.isOff')} />
      </div>
      <ol className="hf-tron-steps">
        {steps.map(({ key, isDone }) => (
          <li key={key} className="hf-spread">
            <div>
              <strong>{t(`tronAgent.steps.${key}`)}</strong>
              <p className="hf-small hf-muted">{t(`tronAgent.steps.${key}Text`)}</p>
            </div>
            <div className="hf-row">
              {key === 'approve' && !isDone && mayAsk && agent.auth_wallet_id !== null && (
                <Button size="small" onClick={onAsk}>
                  {t('tronAgent.ask.open')}
                </Button>
              )}
              <StatusTag tone={isDone ? 'good' : 'neutral'} text={isDone ? t('tronAgent.steps.done') : t('tronAgent.steps.missing')} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Standing({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const { symbol, lender, standing, prices } = agent
  const burn = prices.find(({ type }) => type === 'burn')
  const coin = (value: string) => <Amount value={value} unit={symbol} />
  const permission =
    agent.permission_ok === null ? t('tronAgent.permission.unknown') : agent.permission_ok ? t('tronAgent.permission.own') : t('tronAgent.permission.other')
  return (
    <section className="hf-panel hf-stack" aria-labelledby="tron-agent-terms">
      <h2 id="tron-agent-terms">{t('tronAgent.terms.title')}</h2>
      <Facts
        columns={2}
        facts={[
          { label: t('tronAgent.terms.lender'), value: agent.auth_name === null ? MISSING : <Label text={agent.auth_name} wrap /> },
          { label: t('tronAgent.terms.permission'), value: permission },
          { label: t('tronAgent.terms.address'), value: agent.auth_address === null ? MISSING : <Address address={agent.auth_address} />, wide: true },
          {
            label: t('tronAgent.terms.energy'),
            value: lender ? t('tronTools.leftOf', { have: exactAmount(lender.energy.have), limit: exactAmount(lender.energy.limit) }) : MISSING,
          },
          ...agent.lenders.slice(1).map((each) => ({
            label: t('tronAgent.terms.next'),
            value: <Label text={each.permission_ok === false ? `${each.name} (${t('tronAgent.permission.other')})` : each.name} wrap />,
          })),
          { label: t('tronAgent.terms.staked'), value: lender ? coin(lender.staked_trx) : MISSING },
          { label: t('tronAgent.terms.lent'), value: lender ? coin(lender.delegated_trx) : MISSING },
          { label: t('tronAgent.terms.standing'), value: standing ? <Label text={standing.name} wrap /> : t('tronAgent.terms.noStanding') },
          standing ? { label: t('tronAgent.terms.atMost'), value: coin(standing.at_most_trx) } : undefined,
          standing ? { label: t('tronAgent.terms.until'), value: <Time ms={standing.until} /> } : undefined,
          { label: t('tronAgent.terms.fallback'), value: t(`tronAgent.fallback.${agent.fallback}`) },
          { label: t('tronAgent.terms.budget'), value: coin(agent.budget_day) },
          { label: t('tronAgent.terms.most'), value: coin(agent.max_trx) },
          { label: t('tronAgent.terms.price'), value: burn ? t('tronAgent.terms.priceOf', { price: burn.price_sun }) : MISSING },
        ]}
      />
    </section>
  )
}

function Today({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const { today, hours, symbol } = agent
  return (
    <section className="hf-stack" aria-labelledby="tron-agent-today">
      <h2 id="tron-agent-today">{t('tronAgent.today.title')}</h2>
      <dl className="hf-panel hf-tron-figures">
        {[
          { key: 'payments', value: String(today.payments) },
          { key: 'used', value: exactAmount(today.used) },
          { key: 'covered', value: exactAmount(today.covered) },
          { key: 'burned', value: <Amount value={today.burned_trx} unit={symbol} /> },
          { key: 'rented', value: <Amount value={today.rented_trx} unit={symbol} /> },
          { key: 'saved', value: <Amount value={today.saved_trx} unit={symbol} /> },
        ].map(({ key, value }) => (
          <div key={key}>
            <dt>{t(`tronAgent.today.${key}`)}</dt>
            <dd>
              <strong className="hf-numbers">{value}</strong>
            </dd>
          </div>
        ))}
      </dl>
      {today.payments > 0 && (
        <TimeChart
          title={t('tronAgent.today.curve')}
          series={[
            { key: 'used', name: t('tronAgent.today.used'), points: hours.map((each) => ({ atMs: each.at, value: each.used })) },
            { key: 'covered', name: t('tronAgent.today.covered'), points: hours.map((each) => ({ atMs: each.at, value: each.covered })) },
          ]}
        />
      )}
    </section>
  )
}
