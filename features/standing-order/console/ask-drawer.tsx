import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { useSecondFactor } from '@holdfast/features/session/console'
import { listWallets } from '@holdfast/features/wallet/contract'
import {
  Button,
  DrawerBody,
  DrawerForm,
  ErrorState,
  IconClose,
  LoadingState,
  ManyPicker,
  Note,
  PickField,
  SelectField,
  SentPage,
  TextField,
  useUnsaved,
} from '@holdfast/ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getStandingDraft, proposeStandingOrder } from '../contract.ts'
import { type AskDraft, chainsOf, draftFromSent, draftToSend, EMPTY_DRAFT, faultOfDraft, lineWith } from './ask-draft.ts'
import { isSameDraft, useFirstAnswer } from './first-answer.ts'
import { TargetFields } from './target-fields.tsx'

const idOf = requestIdKeeper()

/** Asks for the next version of a standing order, beginning with what stands now. */
export function NextDrawer({ id }: { id: string }) {
  const { t } = useTranslation('coSigner')
  const answer = useEndpoint(getStandingDraft, { id })
  const data = useFirstAnswer(answer)
  if (!data && answer.error) return <Waiting body={<ErrorState error={answer.error} onRetry={() => void answer.refetch()} />} />
  if (!data) return <Waiting body={<LoadingState rows={8} />} />
  const present = data.draft ? draftFromSent(data.draft) : undefined
  return present ? <AskDrawer present={present} /> : <Waiting body={<Note>{t('standing.ask.elsewhere')}</Note>} />
}

/** Asks for a standing order: what is collected from where to where, for which fees, and how often. */
export function AskDrawer({ present = EMPTY_DRAFT }: { present?: AskDraft }) {
  const wallets = useEndpoint(listWallets, {})
  const coins = useEndpoint(listOpenCoins, {})
  const error = wallets.error ?? coins.error
  if (error) return <Waiting body={<ErrorState error={error} onRetry={() => void Promise.all([wallets.refetch(), coins.refetch()])} />} />
  if (!wallets.data || !coins.data) return <Waiting body={<LoadingState rows={8} />} />
  const all = [...wallets.data.top_wallet, ...wallets.data.wallet_list].filter(({ state }) => state === 'active')
  return (
    <Form
      wallets={all.map(({ wallet_id: id, wallet_name: name }) => ({ value: id, label: name }))}
      coins={coins.data.coin_list}
      networks={coins.data.support_main_chain}
      present={present}
    />
  )
}

const Waiting = ({ body }: { body: ReactNode }) => <DrawerBody>{body}</DrawerBody>

type FormProps = {
  wallets: readonly { value: string; label: string }[]
  coins: readonly { chain: string; network: string; symbol: string }[]
  networks: readonly { chain: string; network: string; symbol: string }[]
  present: AskDraft
}

function Form({ wallets, coins, networks, present }: FormProps) {
  const { t } = useTranslation('coSigner')
  const second = useSecondFactor()
  const [start] = useState(present)
  const [draft, setDraft] = useState(start)
  const [isTried, setTried] = useState(false)
  const propose = useSend(proposeStandingOrder)
  useUnsaved(!isSameDraft(draft, start) && !propose.data)
  const set = (changes: Partial<AskDraft>) => setDraft((last) => ({ ...last, ...changes }))
  if (propose.data)
    return (
      <SentPage
        title={t('standing.ask.sent')}
        note={t('standing.ask.sentText')}
        link={<ApprovalLink href={propose.data.approval_url}>{t('standing.decide')}</ApprovalLink>}
      />
    )
  const fault = faultOfDraft(draft)
  const send = () => {
    setTried(true)
    second.check()
    if (fault || !second.isReady) return
    const wanted = draftToSend(draft)
    propose.mutate({ request_id: idOf(wanted), draft: wanted, remark: '', ...second.given })
  }
  const coinOptions = coins.map(({ chain, network, symbol }) => ({ value: `${chain} ${symbol}`, label: symbol, detail: network }))
  const chains = chainsOf(draft)
  return (
    <DrawerForm send={t('standing.ask.send')} isSending={propose.isPending} onSend={send}>
      <p className="hf-muted">{t(draft.id === null ? 'standing.ask.lead' : 'standing.ask.nextLead')}</p>
      <SelectField
        label={t('standing.ask.kind')}
        value={draft.kind}
        options={(draft.id === null ? (['sweep', 'fuel'] as const) : [draft.kind]).map((value) => ({ value, label: t(`standing.kind.${value}`) }))}
        onChange={(kind) => set({ kind: kind as AskDraft['kind'] })}
      />
      <TextField
        label={t('standing.ask.name')}
        value={draft.name}
        onChange={(name) => set({ name })}
        maxLength={100}
        placeholder={t('standing.ask.nameExample')}
      />
      <div className="hf-stack-tight">
        <span className="hf-label">{t('standing.ask.from')}</span>
        <ManyPicker label={t('standing.ask.fromNone')} options={wallets} values={draft.sources} onChange={(sources) => set({ sources })} />
      </div>
      <TargetFields draft={draft} wallets={wallets} onChange={set} />
      <section className="hf-stack-tight">
        <h3>{t('standing.ask.coins')}</h3>
        <p className="hf-small hf-muted">{t('standing.ask.coinsNote')}</p>
        {draft.assets.map((line, i) => (
          <div key={i} className="hf-standing-order-line">
            <PickField
              label={t('standing.ask.coin')}
              options={coinOptions}
              value={line.chain === '' ? undefined : `${line.chain} ${line.symbol}`}
              onChange={(value) =>
                set({ assets: lineWith(draft.assets, i, { chain: value.split(' ')[0] ?? '', symbol: value.split(' ').slice(1).join(' ') }) })
              }
            />
            <TextField
              label={t('standing.ask.atLeast')}
              value={line.atLeast}
              onChange={(atLeast) => set({ assets: lineWith(draft.assets, i, { atLeast }) })}
              inputMode="decimal"
            />
            <TextField
              label={t('standing.ask.atMost')}
              value={line.atMost}
              onChange={(atMost) => set({ assets: lineWith(draft.assets, i, { atMost }) })}
              inputMode="decimal"
            />
            {draft.assets.length > 1 && (
              <Button
                size="small"
                icon={<IconClose />}
                label={t('standing.ask.drop')}
                onClick={() => set({ assets: draft.assets.filter((_, at) => at !== i) })}
              />
            )}
          </div>
        ))}
        <div className="hf-row">
          <Button size="small" onClick={() => set({ assets: [...draft.assets, { chain: '', symbol: '', atLeast: '', atMost: '' }] })}>
            {t('standing.ask.addCoin')}
          </Button>
        </div>
      </section>
      {chains.length > 0 && (
        <section className="hf-stack-tight">
          <h3>{t('standing.ask.fees')}</h3>
          <p className="hf-small hf-muted">{t('standing.ask.feesNote')}</p>
          {chains.map((chain) => {
            const network = networks.find((each) => each.chain === chain)
            const fee = draft.fees[chain] ?? { max: '', share: '10' }
            const change = (changes: Partial<typeof fee>) => set({ fees: { ...draft.fees, [chain]: { ...fee, ...changes } } })
            return (
              <div key={chain} className="hf-standing-order-line">
                <TextField
                  label={t('standing.ask.feeMax', { symbol: network?.symbol ?? '', network: network?.network ?? chain })}
                  value={fee.max}
                  onChange={(max) => change({ max })}
                  inputMode="decimal"
                />
                <TextField
                  label={t('standing.ask.feeShare')}
                  value={fee.share}
                  onChange={(share) => change({ share })}
                  inputMode="decimal"
                  suffix={<span>%</span>}
                />
              </div>
            )
          })}
        </section>
      )}
      <div className="hf-standing-order-line">
        <TextField label={t('standing.ask.transfers')} value={draft.transfers} onChange={(transfers) => set({ transfers })} inputMode="numeric" />
        <TextField label={t('standing.ask.days')} value={draft.days} onChange={(days) => set({ days })} inputMode="numeric" />
      </div>
      <TextField label={t('standing.ask.never')} hint={t('standing.ask.neverNote')} value={draft.never} onChange={(never) => set({ never })} rows={2} />
      <Note tone="warn" title={t('standing.ask.risk')}>
        {t('standing.ask.riskText')}
      </Note>
      {second.field}
      {isTried && fault && (
        <Note tone="bad" title={t(`standing.ask.fault.${fault}`)}>
          {t('standing.ask.mend')}
        </Note>
      )}
    </DrawerForm>
  )
}
