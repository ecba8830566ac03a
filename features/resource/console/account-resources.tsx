import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Address, Amount, Button, ErrorState, Facts, LoadingState, Note, Time, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getResources } from '../contract.ts'
import { DelegationList } from './delegation-list.tsx'
import { openStakeDrawer, type StakeAction } from './open-stake-drawer.tsx'
import type { Place } from './resources-part.tsx'

export type Resources = OutputOf<typeof getResources>

/** The resources of an address: what it may use, what it has used, and where the coin behind it is. */
export function AccountResources({ subWallet, chain, network }: Place) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getResources, { sub_wallet_id: subWallet.id, chain })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  return (
    <>
      {!data.own_control && <Note tone="bad">{t('resource.notOwn')}</Note>}
      {!data.active && <Note tone="info">{t('resource.inactive')}</Note>}
      <div className="hf-panel">
        <Facts
          facts={[
            { label: t('resource.address'), value: <Address address={data.address} />, wide: true },
            { label: t('resource.freeBandwidth'), value: <Used {...data.free_bandwidth} /> },
            { label: t('resource.withdrawable'), value: <Amount value={data.withdrawable} unit={data.symbol} /> },
          ]}
        />
      </div>
      <StakeFacts resource="energy" resources={data} />
      <StakeFacts resource="bandwidth" resources={data} />
      {data.active && <StakeActions subWallet={subWallet} chain={chain} network={network} resources={data} />}
      {data.unstaking.length > 0 && <Unstaking resources={data} />}
      <DelegationList subWallet={subWallet} chain={chain} network={network} resources={data} />
    </>
  )
}

/** What can be asked for now. */
function StakeActions({ subWallet, chain, network, resources }: Place & { resources: Resources }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  if (!mayAsk) return null
  const isAny = (amount: string) => /[1-9]/.test(amount)
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

/** What is left of a day's measure. */
function Used({ limit, used }: { limit: string; used: string }) {
  const { t } = useTranslation()
  return <span className="hf-numbers">{t('resource.used', { used, limit })}</span>
}

function StakeFacts({ resource, resources }: { resource: 'energy' | 'bandwidth'; resources: Resources }) {
  const { t } = useTranslation()
  const { limit, used, staked, delegated_out: out, delegated_in: received, delegatable } = resources[resource]
  const amount = (value: string) => <Amount value={value} unit={resources.symbol} />
  return (
    <section className="hf-panel hf-stack" aria-label={t(`resource.name.${resource}`)}>
      <h3>{t(`resource.name.${resource}`)}</h3>
      <Facts
        facts={[
          { label: t('resource.usedToday'), value: <Used limit={limit} used={used} /> },
          { label: t('resource.staked'), value: amount(staked) },
          { label: t('resource.delegatable'), value: amount(delegatable) },
          { label: t('resource.delegatedOut'), value: amount(out) },
          { label: t('resource.delegatedIn'), value: amount(received) },
        ]}
      />
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
