import { CallError, type OutputOf } from '@holdfast/contract'
import { Amount, Button, DrawerBody, DrawerFooter, ErrorState, type Fact, Facts, LoadingState, Note, useDrawerPage, useToast } from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getSpeedUp, speedUp } from '@holdfast/features/transfer/contract'

type Info = OutputOf<typeof getSpeedUp>
type Tier = Info['tiers'][number]

/** Raises the fee of a pending payment, asks to cancel it, or speeds a deposit up (CPFP): what is paid now and at least, what the approval allows. */
export function ReplaceDrawer({ orderId, isCancel }: { orderId: string; isCancel: boolean }) {
  const { data, error, refetch } = useEndpoint(getSpeedUp, { trans_id: orderId })
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</DrawerBody>
  return <ReplaceForm orderId={orderId} isCancel={isCancel} info={data} />
}

function ReplaceForm({ orderId, isCancel, info }: { orderId: string; isCancel: boolean; info: Info }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const toast = useToast()
  const [chosen, setChosen] = useState<Tier['tier']>(info.tiers.at(-1)?.tier ?? 'fast')
  const [requestIdOf] = useState(() => requestIdKeeper())
  const send = useSend(speedUp)
  const tier = info.tiers.find((each) => each.tier === chosen)
  const isAsked = isCancel || tier?.needs_approval === true
  const isCpfp = info.method === 'CPFP'
  const act = async () => {
    // Within the approved fee the tier decides the fee; beyond it the people are asked for what the tier can cost.
    const maxFee = isCancel ? info.cancel_fee : isAsked ? tier?.fee : info.cap
    if (maxFee == null) return
    const asked = { trans_id: orderId, cancel: isCancel ? ('1' as const) : ('0' as const), tier: chosen, max_fee: maxFee }
    const sent = await send.mutateAsync({ request_id: requestIdOf(asked), ...asked }).catch(() => undefined)
    if (!sent) return
    toast.success(t(sent.needs_approval ? 'transaction.replace.asked' : 'transaction.replace.sent'), 'replace')
    close()
  }
  return (
    <>
      <DrawerBody>
        {info.reason !== null && <Note tone="warn">{t(`transaction.${isCpfp ? 'cpfp' : 'replace'}.reason.${info.reason}`)}</Note>}
        {send.error instanceof CallError && (
          <div role="alert">
            <Note tone="bad">{send.error.message}</Note>
          </div>
        )}
        <ReplaceFacts info={info} isCancel={isCancel} />
        {info.can && !isCancel && <TierChoice info={info} chosen={chosen} onChange={setChosen} />}
        {info.can && isCancel && <Note tone="warn">{t('transaction.replace.cancelText')}</Note>}
        {info.can && !isCancel && (
          <Note tone={isAsked ? 'warn' : 'info'}>
            {t(isCpfp ? 'transaction.cpfp.note' : `transaction.replace.${isAsked ? (info.in_time ? 'beyond' : 'late') : 'within'}`)}
          </Note>
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        {info.can && (
          <Button variant={isCancel ? 'danger' : 'primary'} loading={send.isPending} onClick={() => void act()}>
            {t(isAsked ? 'transaction.replace.ask' : 'transaction.replace.send')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}

function ReplaceFacts({ info, isCancel }: { info: Info; isCancel: boolean }) {
  const { t } = useTranslation()
  const isCpfp = info.method === 'CPFP'
  const fee = (key: string, value: string | null | undefined): Fact | undefined =>
    value == null ? undefined : { label: t(`transaction.${key}`), value: <Amount value={value} unit={info.fee_symbol} /> }
  return (
    <Facts
      facts={[
        fee(isCpfp ? 'cpfp.old' : 'replace.old', info.old?.fee),
        isCancel ? fee('replace.cancelFee', info.cancel_fee) : fee(isCpfp ? 'cpfp.min' : 'replace.min', info.min),
        isCpfp ? undefined : fee('replace.cap', info.cap),
        isCancel ? undefined : fee('replace.left', info.left),
      ]}
    />
  )
}

function TierChoice({ info, chosen, onChange }: { info: Info; chosen: Tier['tier']; onChange: (tier: Tier['tier']) => void }) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className="hf-fee-choice">
      <legend className="hf-label">{t('transaction.replace.tiers')}</legend>
      <div className="hf-fees">
        {info.tiers.map(({ tier, fee }) => (
          <label key={tier} className="hf-fee">
            <input type="radio" name={name} checked={tier === chosen} onChange={() => onChange(tier)} />
            <span className="hf-fee-body">
              <span>{t(`transaction.replace.tier.${tier}`)}</span>
              <Amount value={fee} unit={info.fee_symbol} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
