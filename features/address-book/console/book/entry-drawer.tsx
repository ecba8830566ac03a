import { CallError } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { LastScreening } from '@holdfast/features/kyt/console'
import { usePermission, useSecondFactor } from '@holdfast/features/session/console'
import {
  Button,
  confirm,
  CopyButton,
  DrawerBody,
  DrawerFooter,
  ErrorState,
  Facts,
  Grouped,
  Label,
  LoadingState,
  Note,
  RelativeTime,
  TextField,
  Time,
  useDrawerPage,
  useDrawers,
} from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteBookEntries, getBookChallenge, getBookEntry, listBookLog, saveWhitelist, verifyBookEntry } from '../../book-contract.ts'
import { addressBookErrors } from '../../errors.ts'
import { AskedPage } from './asked-page.tsx'
import { type BookEntry, Networks, WhitelistTag } from './book-words.tsx'
import { CoolingNote } from './cooling-note.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryPayments } from './entry-payments.tsx'

/** An entry of the organisation's book, and what can be done with it. */
export function EntryDrawer({ id }: { id: string }) {
  const { data, error, refetch } = useEndpoint(getBookEntry, { id })
  if (data) return <Entry entry={data} />
  return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</DrawerBody>
}

function Entry({ entry }: { entry: BookEntry }) {
  const { t } = useTranslation('whiteAddress')
  const { close } = useDrawerPage()
  const drawers = useDrawers()
  const mayWrite = usePermission('address_book.write')
  const second = useSecondFactor()
  const [idOf] = useState(() => requestIdKeeper())
  const list = useSend(saveWhitelist)
  const remove = useSend(deleteBookEntries)
  const verify = useSend(verifyBookEntry)
  const { whitelist_status: status } = entry
  const isListed = status === 'active' || status === 'cooling'
  const isWaiting = status === 'auditing' || status === 'deleting'
  const askListing = (whitelist: '0' | '1') => {
    const asked = { ids: [entry.id], whitelist }
    list.mutate({ request_id: idOf({ ...asked, status }), ...asked, ...second.given })
  }
  const askRemoval = async (byOrder: boolean) => {
    const answer = await confirm(drawers, {
      type: 'remove',
      title: t(byOrder ? 'book.removeListed' : 'book.remove'),
      content: t(byOrder ? 'book.removeListedText' : 'book.removeText', { name: entry.name }),
      confirmText: t(byOrder ? 'book.askOff' : 'book.remove'),
    })
    if (answer.outcome !== 'confirm') return
    const asked = { ids: [entry.id], propose: byOrder ? ('1' as const) : ('0' as const) }
    const removed = await remove.mutateAsync({ request_id: idOf({ ...asked, status }), ...asked, ...second.given }).catch(async (error: unknown) => {
      // The signers came to know it meanwhile: it leaves by an order, which people approve.
      if (error instanceof CallError && error.is(addressBookErrors.whitelist_deletion)) await askRemoval(true)
      return undefined
    })
    if (removed && removed.approval_url === null) close()
  }
  const edit = () => void drawers.push({ title: t('book.edit'), body: <EntryForm entry={entry} /> }, { maskClosable: false })
  const fault = [list.error, remove.error].find((error) => error instanceof CallError)
  const href = list.data?.approval_url ?? remove.data?.approval_url
  if (href) return <AskedPage href={href} />
  return (
    <>
      <DrawerBody>
        <WhitelistTag entry={entry} />
        {isWaiting && entry.approval_url !== null && (
          <Note>
            <div className="hf-stack-tight">
              <span>{t('book.waits')}</span>
              <ApprovalLink size="small" href={entry.approval_url}>
                {t('book.asked.open')}
              </ApprovalLink>
            </div>
          </Note>
        )}
        {entry.needs_review && (
          <Note tone="warn" title={t('book.review')}>
            <div className="hf-stack-tight">
              <span>{t('book.reviewText')}</span>
              {mayWrite && (
                <Button size="small" loading={verify.isPending} onClick={() => verify.mutate({ id: entry.id, type: 'review' })}>
                  {t('book.reviewed')}
                </Button>
              )}
            </div>
          </Note>
        )}
        <Facts
          facts={[
            {
              label: t('personal.address'),
              wide: true,
              value: (
                <span className="hf-row-tight">
                  <Grouped text={entry.address} />
                  <CopyButton text={entry.address} label={t('personal.copy', { name: entry.name })} message={t('book.copied', { name: entry.name })} />
                </span>
              ),
            },
            { label: t('book.networks'), value: <Networks chains={entry.chains} /> },
            entry.memo === '' ? undefined : { label: t('personal.memo'), value: <Label text={entry.memo} /> },
            { label: t('book.group'), value: entry.group === null ? t('book.noGroup') : <Label text={entry.group} /> },
            entry.listed_at === null ? undefined : { label: t('book.listedAt'), value: <Time ms={entry.listed_at} /> },
            { label: t('book.verified'), value: <Verified entry={entry} /> },
            { label: t('personal.screening'), value: <LastScreening screening={entry.kyt} /> },
            { label: t('book.uses'), value: t('book.used', { count: entry.use_count }) },
            { label: t('personal.used'), value: entry.last_used_at === null ? t('personal.never') : <RelativeTime ms={entry.last_used_at} /> },
            entry.vasp === '' ? undefined : { label: t('book.vasp'), value: <Label text={entry.vasp} /> },
            entry.note === '' ? undefined : { label: t('personal.remark'), value: <Label text={entry.note} wrap />, wide: true },
            { label: t('book.addedBy'), value: <Label text={entry.created_by.name} /> },
          ]}
        />
        {fault && (
          <div role="alert">
            <Note tone="bad">{fault.is(addressBookErrors.address_in_approval) ? t('book.inFlow') : fault.message}</Note>
          </div>
        )}
        {mayWrite && <Verification entry={entry} />}
        <EntryPayments id={entry.id} />
        <Story id={entry.id} />
        {mayWrite && !isWaiting && !isListed && <CoolingNote />}
        {mayWrite && !isWaiting && second.field}
      </DrawerBody>
      {mayWrite && (
        <DrawerFooter>
          <Button variant="quiet" disabled={isWaiting || (isListed && !second.isReady)} loading={remove.isPending} onClick={() => void askRemoval(isListed)}>
            {t('book.remove')}
          </Button>
          <Button onClick={edit}>{t('book.edit')}</Button>
          {isListed ? (
            <Button disabled={!second.isReady} loading={list.isPending} onClick={() => askListing('0')}>
              {t('book.askOff')}
            </Button>
          ) : (
            <Button variant="primary" disabled={isWaiting || !second.isReady} loading={list.isPending} onClick={() => askListing('1')}>
              {t('book.askOn')}
            </Button>
          )}
        </DrawerFooter>
      )}
    </>
  )
}

function Verified({ entry: { verify } }: { entry: BookEntry }) {
  const { t } = useTranslation('whiteAddress')
  if (verify === null) return t('book.verify.none')
  return (
    <span>
      {t(`book.verify.${verify.type}`)}, <Label text={verify.by} />, <RelativeTime ms={verify.at} />
    </span>
  )
}

/** The ways to make sure that an address is its owner's: a signed message, where the network has such, a payment, and a call. */
function Verification({ entry }: { entry: BookEntry }) {
  const { t } = useTranslation('whiteAddress')
  const { data } = useEndpoint(getBookChallenge, { id: entry.id })
  const send = useSend(verifyBookEntry)
  const [signature, setSignature] = useState('')
  const [spoken, setSpoken] = useState('')
  if (!data) return null
  return (
    <details className="hf-details">
      <summary>{t('book.verify.title')}</summary>
      <div className="hf-stack">
        {data.can_sign ? (
          <div className="hf-stack-tight">
            <p className="hf-small hf-muted">{t('book.verify.signText')}</p>
            <code className="hf-small">{data.message}</code>
            <TextField label={t('book.verify.signature_label')} value={signature} onChange={setSignature} autoComplete="off" className="hf-mono" wraps />
            <Button
              size="small"
              disabled={signature.trim() === ''}
              loading={send.isPending}
              onClick={() => send.mutate({ id: entry.id, type: 'signature', proof: signature.trim() })}
            >
              {t('book.verify.check')}
            </Button>
          </div>
        ) : (
          <p className="hf-small hf-muted">{t('book.verify.cannotSign')}</p>
        )}
        <div className="hf-stack-tight">
          <p className="hf-small hf-muted">{t('book.verify.payText')}</p>
          {data.amounts.map(({ chain, network, symbol, amount }) => (
            <span key={chain} className="hf-numbers">
              {amount} {symbol}, <Label text={network} />
            </span>
          ))}
          <Button size="small" loading={send.isPending} onClick={() => send.mutate({ id: entry.id, type: 'satoshi_test' })}>
            {t('book.verify.look')}
          </Button>
        </div>
        <div className="hf-stack-tight">
          <TextField label={t('book.verify.spoken')} hint={t('book.verify.spokenNote')} value={spoken} onChange={setSpoken} maxLength={200} />
          <Button
            size="small"
            disabled={spoken.trim() === ''}
            loading={send.isPending}
            onClick={() => send.mutate({ id: entry.id, type: 'call_back', proof: spoken.trim() })}
          >
            {t('book.verify.called')}
          </Button>
        </div>
      </div>
    </details>
  )
}

function Story({ id }: { id: string }) {
  const { t } = useTranslation('whiteAddress')
  const { data } = useEndpoint(listBookLog, { id, page_size: 20 })
  if (!data || data.list.length === 0) return null
  return (
    <section className="hf-stack-tight" aria-label={t('book.log.history')}>
      <h3>{t('book.log.history')}</h3>
      <ul className="hf-book-report">
        {data.list.map(({ id: event, action, person, at }) => (
          <li key={event}>
            <span className="hf-grow">{t(`book.log.${action}`)}</span>
            <span className="hf-small hf-muted">
              <Label text={person.name} />, <RelativeTime ms={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
