import { Button, DrawerBody, DrawerFooter, Note, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { BLOCKS_MAX, getNetworkStatus, readBlocksAgain } from '../contract.ts'
import type { NetworkStatus } from './health.ts'

type Reading = NonNullable<NetworkStatus['networks'][number]['reading']>

const ASK_EVERY_MS = 2_000

/** Has blocks of a network read again, for payments that a source left out, and tells what came of it. */
export function ReadAgainDrawer({ chain, network }: { chain: string; network: string }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const { data } = useEndpoint(getNetworkStatus, {}, { refetchEveryMs: ASK_EVERY_MS })
  const status = data?.networks.find((each) => each.chain === chain)
  const reading = status?.reading ?? null
  const isReading = reading !== null && reading.done_at === null
  const send = useSend(readBlocksAgain)
  const newest = Number(status?.height ?? Number.MAX_SAFE_INTEGER)
  const heights = { kind: 'integer' as const, range: { min: 0, max: newest } }
  const { form, field, submit, clear } = useTextForm({
    from: { label: t('network.again.from'), shape: heights },
    to: {
      label: t('network.again.to'),
      optional: true,
      shape: heights,
      check: (text, { from }) => (isSpan(Number(from), Number(text)) ? undefined : t('network.again.span', { most: BLOCKS_MAX })),
    },
  })
  const ask = async ({ from, to }: Record<'from' | 'to', string>) => {
    const asked = { chain, from_height: Number(from), ...(to.trim() === '' ? {} : { to_height: Number(to) }) }
    if (await send.mutateAsync(asked).catch(() => undefined)) clear()
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, (typed) => void ask(typed))}>
      <DrawerBody>
        <p className="hf-muted">{t('network.again.note', { network })}</p>
        <TextField {...field('from')} hint={t('network.again.fromNote')} inputMode="numeric" autoComplete="off" />
        <TextField {...field('to')} hint={t('network.again.toNote', { most: BLOCKS_MAX })} inputMode="numeric" autoComplete="off" />
        {send.error && <Note tone="bad">{send.error.message}</Note>}
        <div aria-live="polite">{reading && <Told reading={reading} />}</div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        <Button variant="primary" type="submit" disabled={isReading} loading={send.isPending}>
          {t('network.again.do')}
        </Button>
      </DrawerFooter>
    </form>
  )
}

const isSpan = (from: number, to: number): boolean => to >= from && to - from < BLOCKS_MAX

/** How far the last request has come, and what it found. */
function Told({ reading: { from_height: from, to_height: to, read_height: at, found: count, done_at: doneAt } }: { reading: Reading }) {
  const { t } = useTranslation()
  const title = t('network.again.last', { from, to })
  if (doneAt === null) {
    const words = at === null ? t('network.again.waits') : t('network.again.at', { height: at, count })
    return (
      <Note tone="info" title={title}>
        {words}
      </Note>
    )
  }
  return (
    <Note tone={count === 0 ? 'good' : 'warn'} title={title}>
      {t(count === 0 ? 'network.again.none' : 'network.again.found', { count })}
    </Note>
  )
}
