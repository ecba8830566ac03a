import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Address, Amount, Button, ErrorState, exactAmount, Facts, LoadingState, Note, Time, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getResources } from '../contract.ts'
import { DelegationList } from './delegation-list.tsx'
import { Gauge } from './gauge.tsx'
import { openStakeDrawer, type StakeAction } from './open-stake-drawer.tsx'
import type { Place } from './resources-part.tsx'

export type Resources = OutputOf<typeof getResources>

/** The resources of an address: what it may use, what it has used, and where the coin behind it is. */
export function AccountResources({ subWallet, chain, network }: Place) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getResources, { sub_wallet_id: subWallet.id, chain })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  const { free_bandwidth: free, energy, bandwidth, symbol } = data
  return (
    <>
      {!data.own_control && <Note tone="bad">{t('resource.notOwn')}</Note>}
      {!data.active && <Note tone="info">{t('resource.inactive')}</Note>}
      <div className="hf-panel hf-stack">
        <div className="hf-spread hf-resource-head">
          <div className="hf-stack-tight">
            <p className="hf-small hf-muted">{t('resource.address')}</p>
            <Address address={data.address} />
          </div>
          {data.active && <StakeActions subWallet={subWallet} chain={chain} network={network} resources={data} />}
        </div>
        <div className="hf-gauges">
          <Left name={t('resource.name.energy')} {...energy} />
          <Left name={t('resource.name.bandwidth')} {...bandwidth} />
          <Left name={t('resource.freeBandwidth')} {...free} />
        </div>
        {isAny(data.withdrawable) && <Facts facts={[{ label: t('resource.withdrawable'), value: <Amount value={data.withdrawable} unit={symbol} /> }]} />}
      </div>
      {data.unstaking.length > 0 && <Unstaking resources={data} />}
      <div className="hf-stakes">
        <StakeFacts resource="energy" resources={data} />
        <StakeFacts resource="bandwidth" resources={data} />
      </div>
      {data.delegations.length > 0 && <DelegationList subWallet={subWallet} chain={chain} network={network} resources={data} />}
    </>
  )
}

const isAny = (amount: string) => /[1-9]/.test(amount)

/** What can be asked for now. */
function StakeActions({ subWallet, chain, network, resources }: Place & { resources: Resources }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  if (!mayAsk) return null
  const { energy, bandwidth, unstaking, withdrawable, symbol } = resources
  const offered: [StakeAction, boolean][] = [
    ['stake', true],
    ['delegate', isAny(energy.delegatable) || isAny(bandwidth.delegatable)],
    ['unstake', isAny(energy.staked) || isAny(bandwidth.staked)],
    ['withdraw', isAny(withdrawable)],
    ['cancel-unstake', unstaking.length > 0],
  ]
  return (
    <div className="hf-row">
      {offered.map(
        ([action, isOffered]) =>
          isOffered && (
            <Button
              key={action}
              variant={action === 'stake' ? 'primary' : 'default'}
              onClick={() => openStakeDrawer(drawers, { title: t(`resource.action.${action}`), subWallet, chain, network, symbol, action })}
              label={t('resource.actionOn', { action: t(`resource.action.${action}`), network })}
            >
              {t(`resource.action.${action}`)}
            </Button>
          ),
      )}
    </div>
  )
}

/** What is left of a daily limit. */
function Left({ name, limit, used }: { name: string; limit: string; used: string }) {
  const { t } = useTranslation()
  const left = BigInt(limit) > BigInt(used) ? BigInt(limit) - BigInt(used) : 0n
  const text =
    limit === '0' ? t('resource.noLimit') : `${t('resource.usedToday')}: ${t('resource.used', { used: exactAmount(used), limit: exactAmount(limit) })}`
  return <Gauge name={name} limit={limit} used={used} value={exactAmount(String(left))} unit={t('resource.left')} text={text} />
}

/** Where the coin behind a resource is; nothing is said of nothing. */
function StakeFacts({ resource, resources }: { resource: 'energy' | 'bandwidth'; resources: Resources }) {
  const { t } = useTranslation()
  const { staked, delegated_out: out, delegated_in: received, delegatable } = resources[resource]
  const amounts: [label: string, amount: string][] = [
    [t('resource.staked'), staked],
    [t('resource.delegatable'), delegatable],
    [t('resource.delegatedOut'), out],
    [t('resource.delegatedIn'), received],
  ]
  const shown = amounts.filter(([, amount]) => isAny(amount))
  return (
    <section className="hf-panel hf-stack-tight" aria-label={t(`resource.name.${resource}`)}>
      <h3>{t(`resource.name.${resource}`)}</h3>
      {shown.length === 0 ? (
        <p className="hf-muted">{t('resource.nothing')}</p>
      ) : (
        <Facts facts={shown.map(([label, amount]) => ({ label, value: <Amount value={amount} unit={resources.symbol} /> }))} />
      )}
    </section>
  )
}

function Unstaking({ resources: { unstaking, symbol } }: { resources: Resources }) {
  const { t } = useTranslation()
  return (
    <Note tone="info" title={t('resource.unstaking')}>
      <ul className="hf-bullets">
        {unstaking.map(({ resource, amount, free_at: freeAt }, i) => (
          <li key={`${freeAt} ${i}`}>
            <Amount value={amount} unit={symbol} /> · {t(`resource.name.${resource}`)} · {t('resource.freeAt')} <Time ms={freeAt} />
          </li>
        ))}
      </ul>
    </Note>
  )
}
