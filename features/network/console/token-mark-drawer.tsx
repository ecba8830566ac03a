import { DrawerBody, DrawerForm, ErrorState, Label, LoadingState, Note, TextField, Time, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getTokenMark, markToken } from '../contract.ts'
import { TokenSigns } from './token-signs.tsx'

const REASON_LIMIT = 200

/** Marks a token as one whose balances differ from what it logs, or takes the mark back; says first what tells that they do. */
export function TokenMarkDrawer({ chain, contract, symbol }: { chain: string; contract: string; symbol: string }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const { data, error, refetch } = useEndpoint(getTokenMark, { chain, contract })
  const send = useSend(markToken)
  const { form, field, submit } = useTextForm({ reason: { label: t('network.mark.reason'), optional: data?.mark != null } })
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={5} />}</DrawerBody>
  const { mark, signs } = data
  const change = async ({ reason }: { reason: string }) => {
    const said = { chain, contract, uneven: mark === null, reason: reason.trim() }
    if ((await send.mutateAsync(said).catch(() => undefined)) === undefined) return
    close()
  }
  return (
    <DrawerForm
      form={form}
      send={t(mark ? 'network.mark.end' : 'network.mark.do')}
      isSending={send.isPending}
      variant={mark ? 'primary' : 'danger'}
      onSend={(event) => submit(event, (said) => void change(said))}
    >
      <TokenSigns signs={signs} />
      {mark ? (
        <Note tone="warn" title={t('network.mark.is', { symbol })}>
          <Label text={mark.by} />, <Time ms={mark.at} />: <Label text={mark.reason} wrap />
        </Note>
      ) : (
        <TextField {...field('reason')} rows={2} count={REASON_LIMIT} />
      )}
      <p className="hf-muted">{t(mark ? 'network.mark.endNote' : 'network.mark.note', { symbol })}</p>
      {send.error && <Note tone="bad">{send.error.message}</Note>}
    </DrawerForm>
  )
}
