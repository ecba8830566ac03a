import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { AddressField } from '@holdfast/features/address-book/console'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import {
  Amount,
  bringIntoView,
  Button,
  CheckedFooter,
  DrawerBody,
  Facts,
  Label,
  Note,
  REMARK_LIMIT,
  SelectField,
  SentPage,
  TextField,
  useChecked,
} from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkStakeOrder, createStakeOrder, getResources } from '../contract.ts'
import type { StakeTarget } from './open-stake-drawer.tsx'
import { expectedUnits, mostOf } from './stake-bounds.ts'
import { isAboutAllOf, isDelegationOf, orderOf, RESOURCES, type StakeTyped, wrongIn } from './stake-typed.ts'

/** Asks for an order about stake: what it is about, then what it says, costs and needs, then the order itself. */
export function StakeDrawer(target: StakeTarget) {
  const { t } = useTranslation()
  const { action, symbol, given } = target
  const [typed, setTyped] = useState<StakeTyped>({ resource: 'energy', amount: '', receiver: '', lock: '0', remark: '', ...given })
  const [requestIdOf] = useState(() => requestIdKeeper())
  const check = useSend(checkStakeOrder)
  const create = useSend(createStakeOrder)
  const change = (next: Partial<StakeTyped>) => setTyped((present) => ({ ...present, ...next }))
  const order = orderOf(target, typed)
  const { outcome, preview } = useChecked(check, order)
  const { most, expected } = useBounds(target, typed)
  const send = () => {
    if (!order || !outcome) return
    const asked = { ...order, max_fee: outcome.max_fee, remark: typed.remark, expire_hours: 168 }
    create.mutate({ request_id: requestIdOf(asked), ...asked })
  }
  if (create.data) {
    const link = (
      <ApprovalLink variant="primary" href={create.data.approval_url}>
        {t('resource.order.openApproval')}
      </ApprovalLink>
    )
    return <SentPage title={t('resource.order.asked')} note={t('resource.order.askedNote')} link={link} />
  }
  const isAboutAll = isAboutAllOf(action)
  const isDelegation = isDelegationOf(action)
  const wrong = wrongIn(typed)
  return (
    <>
      <DrawerBody>
        <p className="hf-muted">{t(`resource.note.${action}`)}</p>
        {!isAboutAll && (
          <>
            <SelectField
              label={t('resource.order.resource')}
              value={typed.resource}
              options={RESOURCES.map((value) => ({ value, label: t(`resource.name.${value}`) }))}
              onChange={(resource) => change({ resource: resource as StakeTyped['resource'] })}
            />
            <TextField
              label={t('resource.order.amount', { symbol })}
              value={typed.amount}
              onChange={(amount) => change({ amount })}
              inputMode="decimal"
              autoComplete="off"
              error={wrong.amount ? t('resource.order.fault.amount') : undefined}
              hint={<Bounds {...{ target, most, expected }} resource={typed.resource} />}
              suffix={
                <Button size="small" variant="quiet" disabled={most === undefined} onClick={() => most !== undefined && change({ amount: most })}>
                  {t('resource.order.max')}
                </Button>
              }
            />
          </>
        )}
        {isDelegation && (
          <AddressField
            label={t('resource.order.receiver')}
            value={typed.receiver}
            onChange={(receiver) => change({ receiver })}
            wanted={{ chain: target.chain, network: target.network }}
            onScan={({ to }) => change({ receiver: to })}
          />
        )}
        {action === 'delegate' && (
          <TextField
            label={t('resource.order.lock')}
            hint={t('resource.order.lockNote')}
            value={typed.lock}
            onChange={(lock) => change({ lock })}
            inputMode="numeric"
            autoComplete="off"
            error={wrong.lock ? t('resource.order.fault.lock') : undefined}
          />
        )}
        <TextField label={t('resource.order.remark')} value={typed.remark} onChange={(remark) => change({ remark })} rows={2} count={REMARK_LIMIT} />
        {outcome && <Outcome outcome={outcome} />}
      </DrawerBody>
      <CheckedFooter
        isChecked={outcome !== undefined}
        check={{ words: t('resource.order.check'), isOpen: order !== undefined, isPending: check.isPending, act: preview }}
        send={{
          words: t('resource.order.send'),
          isOpen: outcome?.policy.denied === false && outcome.obstacle === null,
          isPending: create.isPending,
          act: send,
        }}
      />
    </>
  )
}

/** What there is for an order, and what a stake would give. */
function useBounds({ subWallet, chain, symbol, action }: StakeTarget, { resource, amount }: StakeTyped) {
  const { data: resources } = useEndpoint(getResources, { sub_wallet_id: subWallet.id, chain })
  const { data: coins } = useEndpoint(listCoinAssets, { sub_wallet_id: subWallet.id }, { enabled: action === 'stake' })
  const balance = coins?.list.find((each) => each.chain === chain && each.symbol === symbol)?.normal_balance
  return {
    most: resources && mostOf(action, resource, { resources, balance }),
    expected: action === 'stake' && resources ? expectedUnits(amount.trim(), resources[resource]) : undefined,
  }
}

type BoundsProps = ReturnType<typeof useBounds> & { target: StakeTarget; resource: StakeTyped['resource'] }

function Bounds({ target: { symbol, action }, resource, most, expected }: BoundsProps) {
  const { t } = useTranslation()
  if (most === undefined) return null
  return (
    <span className="hf-stack-tight">
      <span className="hf-row-tight">
        {t(action === 'stake' ? 'resource.order.stakeable' : 'resource.order.available')} <Amount value={most} unit={symbol} />
      </span>
      {expected !== undefined && <span>{t(`resource.order.gives.${resource}`, { units: expected })}</span>}
    </span>
  )
}

/** What the order says, whether the network would take it, what it costs, and what the policy says. */
function Outcome({
  outcome: { title, obstacle, policy, expected_fee: expected, max_fee: most, fee_symbol: symbol },
}: {
  outcome: OutputOf<typeof checkStakeOrder>
}) {
  const { t } = useTranslation()
  return (
    <div ref={bringIntoView} className="hf-stack" aria-live="polite">
      <Note tone={obstacle === null ? 'info' : 'bad'} title={title}>
        {obstacle !== null && <Label text={obstacle} wrap />}
      </Note>
      <Note tone={policy.denied ? 'bad' : 'good'}>{policy.sentence}</Note>
      <Facts
        facts={[
          { label: t('resource.order.expected'), value: <Amount value={expected} unit={symbol} /> },
          { label: t('resource.order.most'), value: <Amount value={most} unit={symbol} /> },
        ]}
      />
    </div>
  )
}
