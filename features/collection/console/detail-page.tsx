import { useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { usePermission, useSecondFactor } from '@holdfast/features/session/console'
import { useWallets, walletLabel } from '@holdfast/features/wallet/console'
import { Address, Amount, Button, confirm, DrawerBody, DrawerFooter, Facts, Label, Note, StatusTag, Time, useDrawerPage, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { deleteCollector, publishCollector, setCollectorStatus } from '../contract.ts'
import { type Collector, Everything, HOME, OfCollector, TONES } from './of-collector.tsx'
import { RunList } from './run-list.tsx'

/** One collector: where it stands, what it waits for, and what it did. */
export function CollectorPage() {
  const { t } = useTranslation('collection')
  return (
    <OfCollector title={t('collector.detail')} lead={t('collector.detailLead')}>
      {(of) => (
        <div className="hf-stack-wide">
          <State of={of} />
          <RunList walletId={of.wallet_id} id={of.id} />
        </div>
      )}
    </OfCollector>
  )
}

function State({ of }: { of: Collector }) {
  const { t } = useTranslation('collection')
  const { id, status, pending, unapproved, target, payer, until, auth } = of
  const waits = unapproved.filter((kind) => !pending.some((each) => each.kind === kind))
  return (
    <section className="hf-panel hf-stack" aria-labelledby="collector-state">
      <div className="hf-row">
        <h2 id="collector-state">{of.name}</h2>
        <StatusTag tone={TONES[status]} text={t(`collector.status.${status}`)} />
      </div>
      {pending.map(({ trade_no: trade, kind, approval_url: url }) => (
        <Note key={trade} tone="info" title={t(`collector.waits.${kind}`)}>
          <ApprovalLink href={url}>{t('collector.decide')}</ApprovalLink>
        </Note>
      ))}
      {status !== 'draft' && waits.length > 0 && (
        <Note tone="warn" title={t('collector.unapproved')}>
          {waits.map((kind) => t(`collector.waits.${kind}`)).join(' · ')}
        </Note>
      )}
      {of.revoking && <Note tone="info" title={t(`collector.revoking.${of.way}`)} />}
      <Facts
        columns={2}
        facts={[
          { label: t('collector.network'), value: of.network },
          { label: t('collector.way.title'), value: t(`collector.way.${of.way}`) },
          { label: t('collector.contract'), value: <Address address={of.contract_address} /> },
          { label: t('collector.target'), value: <Place of={target} /> },
          { label: t('collector.payer'), value: <Place of={payer} /> },
          { label: t('collector.gas'), value: <Amount value={of.gas_balance} unit={of.gas_symbol} /> },
          { label: t('collector.feeMax'), value: <Amount value={of.fee_max} unit={of.gas_symbol} /> },
          { label: t(`collector.allowing.${of.way}`), value: `${auth.done} / ${auth.total}` },
          { label: t('collector.tokens'), value: String(of.tokens) },
          until === null ? undefined : { label: t('collector.until'), value: <Time ms={until} /> },
        ]}
      />
      <div className="hf-row">
        <Link className="hf-button hf-button-default hf-button-small" to={`${HOME}/editThreshold/${id}`}>
          {t('collector.token.title')}
        </Link>
        <Link className="hf-button hf-button-default hf-button-small" to={`${HOME}/collectionAuthSubWalletList/${id}`}>
          {t(`collector.auth.title.${of.way}`)}
        </Link>
        <Steps of={of} />
      </div>
    </section>
  )
}

/** Many sub-wallets have the same name, so that of the wallet stands before it. */
function Place({ of }: { of: Collector['target'] }) {
  const wallet = useWallets().wallets?.find(({ wallet_id: id }) => id === of.wallet_id)
  return <Label text={wallet ? `${walletLabel(wallet)} / ${of.sub_wallet_name}` : of.sub_wallet_name} wrap />
}

function Steps({ of }: { of: Collector }) {
  const { t } = useTranslation('collection')
  const drawers = useDrawers()
  const go = useNavigate()
  const mayWrite = usePermission('collection.write')
  const { isAsked } = useSecondFactor()
  const status = useSend(setCollectorStatus)
  const remove = useSend(deleteCollector)
  if (!mayWrite) return null
  const { id } = of
  const { way } = of
  const ask = async (title: string, content: string, confirmText: string) => {
    const { outcome } = await confirm(drawers, { type: 'warning', title, content, confirmText })
    return outcome === 'confirm'
  }
  const pause = async () => {
    if (await ask(t('collector.pause.title'), t(`collector.pause.text.${way}`), t('collector.pause.do'))) status.mutate({ id, status: 'pause', revoke: false })
  }
  const revoke = async () => {
    if (await ask(t(`collector.revoke.title.${way}`), t(`collector.revoke.text.${way}`), t(`collector.revoke.do.${way}`)))
      status.mutate({ id, status: 'pause', revoke: true })
  }
  const takeOut = async () => {
    if (await ask(t('collector.delete.title'), t('collector.delete.text'), t('collector.delete.do'))) remove.mutate({ id }, { onSuccess: () => void go(HOME) })
  }
  const isAsking = of.unapproved.some((kind) => !of.pending.some((each) => each.kind === kind))
  return (
    <>
      <Link className="hf-button hf-button-default hf-button-small" to={`${HOME}/edit/${id}`}>
        {t('collector.form.edit')}
      </Link>
      {isAsking && (
        <Button
          size="small"
          variant="primary"
          disabled={of.tokens === 0}
          onClick={() => void drawers.push({ title: t('collector.publish.title'), body: <PublishDrawer of={of} /> }, { maskClosable: false })}
        >
          {t('collector.publish.open')}
        </Button>
      )}
      {of.status === 'paused' && (
        <Button size="small" loading={status.isPending} onClick={() => status.mutate({ id, status: 'run', revoke: false })}>
          {t('collector.resume')}
        </Button>
      )}
      {(of.status === 'running' || of.status === 'publishing') && (
        <Button size="small" loading={status.isPending} onClick={() => void pause()}>
          {t('collector.pause.do')}
        </Button>
      )}
      {of.status !== 'draft' && !of.revoking && (
        <Button size="small" variant="danger" loading={status.isPending} onClick={() => void revoke()}>
          {t(`collector.revoke.do.${way}`)}
        </Button>
      )}
      {!isAsked && (of.status === 'draft' || of.status === 'paused') && (
        <Button size="small" variant="danger" loading={remove.isPending} onClick={() => void takeOut()}>
          {t('collector.delete.do')}
        </Button>
      )}
    </>
  )
}

function PublishDrawer({ of: { id, way } }: { of: Collector }) {
  const { t } = useTranslation('collection')
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const publish = useSend(publishCollector)
  return (
    <>
      <DrawerBody>
        <p>{t(`collector.publish.text.${way}`)}</p>
        {way === 'delegation' && <Everything />}
        <Note tone="info" title={t('collector.publish.note')}>
          {t(`collector.publish.noteText.${way}`)}
        </Note>
        {second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button
          variant="primary"
          disabled={!second.isReady}
          loading={publish.isPending}
          onClick={() => publish.mutate({ id, ...second.given }, { onSuccess: () => close() })}
        >
          {t('collector.publish.do')}
        </Button>
      </DrawerFooter>
    </>
  )
}
