import type { OutputOf } from '@holdfast/contract'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { NetworkChip } from '@holdfast/features/network/console'
import {
  Button,
  DrawerBody,
  DrawerFooter,
  EmptyState,
  ErrorState,
  Label,
  LoadingState,
  RelativeTime,
  SelectField,
  StatusTag,
  TextField,
  useDrawerPage,
  useTextForm,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ADDRESSES_PER_CALL, createAddresses, listAddressRequests } from '../contract.ts'

const LABEL_LIMIT = 50

type Requests = OutputOf<typeof listAddressRequests>

/** Asks for further addresses of a sub-wallet, one or ten thousand, and shows how many of what was asked for are made. */
export function NewAddressesDrawer({ subWalletId, chain }: { subWalletId: string; chain?: string | undefined }) {
  const { close } = useDrawerPage()
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listAddressRequests, { sub_wallet_id: subWalletId })
  if (data && data.left.length > 0) return <NewAddresses subWalletId={subWalletId} chain={chain} requests={data} />
  return (
    <>
      <DrawerBody>
        {data ? (
          <EmptyState title={t('depositAddress.list.none')}>{t('depositAddress.list.noneNote')}</EmptyState>
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingState rows={4} />
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      </DrawerFooter>
    </>
  )
}

function NewAddresses({ subWalletId, chain, requests: { left, list } }: { subWalletId: string; chain: string | undefined; requests: Requests }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const create = useSend(createAddresses)
  const [requestIdOf, setKeeper] = useState(() => requestIdKeeper())
  const [wanted, setWanted] = useState(chain)
  const chosen = left.find((each) => each.chain === wanted) ?? left[0]
  const most = Math.min(ADDRESSES_PER_CALL, chosen?.left ?? 0)
  const number = (text: string) => (/^[0-9]{1,6}$/.test(text.trim()) ? Number(text) : 0)
  const rules = {
    count: { label: t('depositAddress.make.count') },
    label: { label: t('depositAddress.list.label'), optional: true },
  }
  const { form, field, submit, isTried, valueOf, set, clear } = useTextForm(rules, { count: '1', label: '' })
  const isFar = number(valueOf('count')) < 1 || number(valueOf('count')) > most
  const make = async (count: string, label: string) => {
    if (!chosen || isFar) return
    const asked = { sub_wallet_id: subWalletId, chain: chosen.chain, count: number(count), label: label.trim() }
    const answer = await create.mutateAsync({ request_id: requestIdOf(asked), ...asked }).catch(() => undefined)
    if (!answer) return
    // The same number of addresses once more is another request.
    setKeeper(() => requestIdKeeper())
    clear()
    set('count', '1')
  }
  const counted = field('count')
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, ({ count, label }) => void make(count, label))}>
      <DrawerBody>
        <p className="hf-muted">{t('depositAddress.make.note')}</p>
        <SelectField
          label={t('depositAddress.list.network')}
          value={chosen?.chain ?? ''}
          options={left.map((each) => ({ value: each.chain, label: each.network }))}
          onChange={setWanted}
        />
        <TextField
          {...counted}
          hint={t('depositAddress.make.countNote', { most, left: chosen?.left ?? 0 })}
          {...(isTried && isFar ? { error: t('depositAddress.make.countFault', { most }) } : {})}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
        />
        <TextField {...field('label')} hint={t('depositAddress.make.labelNote')} count={LABEL_LIMIT} autoComplete="off" />
        {list.length > 0 && <Asked list={list} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        <Button variant="primary" type="submit" loading={create.isPending}>
          {t('depositAddress.make.submit')}
        </Button>
      </DrawerFooter>
    </form>
  )
}

/** What was asked for before, and how far it is. */
function Asked({ list }: { list: Requests['list'] }) {
  const { t } = useTranslation()
  return (
    <section className="hf-stack-tight" aria-labelledby="addresses-asked">
      <h3 id="addresses-asked">{t('depositAddress.make.asked')}</h3>
      <ul className="hf-arrivals" aria-live="polite">
        {list.map((each) => {
          const isMade = each.made === each.count
          return (
            <li key={each.id}>
              <span className="hf-spread">
                <NetworkChip chain={each.chain} network={each.network} />
                <StatusTag
                  tone={isMade ? 'good' : 'active'}
                  text={isMade ? t('depositAddress.make.made', { count: each.count }) : t('depositAddress.make.making', { made: each.made, of: each.count })}
                />
              </span>
              <span className="hf-spread hf-small hf-muted">
                {each.label === null ? <span>{t('depositAddress.list.unnamed')}</span> : <Label text={each.label} />}
                <RelativeTime ms={each.created_at} />
              </span>
              {!isMade && <progress className="hf-export-progress" max={each.count} value={each.made} aria-label={t('depositAddress.make.asked')} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
