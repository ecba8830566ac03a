import { CallError, type OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, ErrorState, Grouped, Label, LoadingState, Note, useDrawerPage } from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getWhitelistConfig, restoreWhitelist, saveWhitelist } from '../../book-contract.ts'
import { AskedPage } from './asked-page.tsx'
import { CoolingNote } from './cooling-note.tsx'
import { WhitelistChanges, WhitelistPlace } from './whitelist-changes.tsx'

type Restored = OutputOf<typeof restoreWhitelist>

/** What would make the whitelist as it was at an earlier version. From here it is asked for, like any other change of it. */
export function RestoreDrawer({ version }: { version: number }) {
  const { data, error, refetch } = useEndpoint(restoreWhitelist, { version })
  if (data) return <Restore version={version} restored={data} />
  return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</DrawerBody>
}

function Restore({ version, restored }: { version: number; restored: Restored }) {
  const { t } = useTranslation('whiteAddress')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const { data: config } = useEndpoint(getWhitelistConfig, {})
  const [idOf] = useState(() => requestIdKeeper())
  const send = useSend(saveWhitelist)
  const { changes, left_out: leftOut, has_more: hasMore } = restored
  const ask = () => {
    const asked = { ...askedFor(changes), remark: t('book.restore.remark', { version }) }
    send.mutate({ request_id: idOf(asked), ...asked, ...second.given })
  }
  if (send.data) return <AskedPage href={send.data.approval_url} />
  return (
    <>
      <DrawerBody>
        {changes.length > 0 ? (
          <p className="hf-muted">{t('book.restore.note')}</p>
        ) : (
          <Note>{t(leftOut.length > 0 ? 'book.restore.nothing' : 'book.restore.same')}</Note>
        )}
        {config?.open && (
          <Note tone="warn" title={config.open.title}>
            <div className="hf-stack-tight">
              <span>{t('book.waits')}</span>
              <ApprovalLink size="small" href={config.open.approval_url}>
                {t('book.asked.open')}
              </ApprovalLink>
            </div>
          </Note>
        )}
        <WhitelistChanges changes={changes} />
        {changes.some(({ kind }) => kind === 'add') && <CoolingNote />}
        {hasMore && <Note>{t('book.restore.more')}</Note>}
        {leftOut.length > 0 && <LeftOut leftOut={leftOut} />}
        {send.error instanceof CallError && (
          <div role="alert">
            <Note tone="bad">{send.error.message}</Note>
          </div>
        )}
        {changes.length > 0 && second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.drawer.close')}</Button>
        {changes.length > 0 && (
          <Button variant="primary" loading={send.isPending} disabled={config?.open !== null || !second.isReady} onClick={ask}>
            {t('book.restore.ask')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}

/** The fields of the order that makes these changes. */
function askedFor(changes: Restored['changes']) {
  const idsOf = (kind: 'add' | 'remove') => changes.filter((each) => each.kind === kind).map((each) => each.entry_id)
  const [on, off] = [idsOf('add'), idsOf('remove')]
  if (on.length === 0) return { ids: off, whitelist: '0' as const }
  return { ids: on, whitelist: '1' as const, ...(off.length > 0 && { off_ids: off }) }
}

/** What the earlier version had and nobody is asked for, each with the reason. */
function LeftOut({ leftOut }: { leftOut: Restored['left_out'] }) {
  const { t } = useTranslation('whiteAddress')
  return (
    <section className="hf-stack-tight" aria-labelledby="left-out">
      <h3 id="left-out">{t('book.restore.leftOut', { count: leftOut.length })}</h3>
      <p className="hf-small hf-muted">{t('book.restore.leftOutText')}</p>
      <ul className="hf-book-report">
        {leftOut.map((each) => (
          <li key={each.entry_id}>
            <WhitelistPlace place={each}>
              <span className="hf-small">{t(`book.restore.why.${each.why}`)}</span>
              {each.others.map(({ address, name }) => (
                <span key={address} className="hf-small hf-stack-tight">
                  {name !== null && <Label text={name} />}
                  <Grouped text={address} />
                </span>
              ))}
            </WhitelistPlace>
          </li>
        ))}
      </ul>
    </section>
  )
}
