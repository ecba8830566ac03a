import { listTodo } from '@holdfast/features/approval/contract'
import { listTransactions } from '@holdfast/features/transfer/contract'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import {
  Amount,
  Button,
  DrawerBody,
  DrawerFooter,
  Facts,
  Label,
  Note,
  requestIdKeeper,
  ShortAddress,
  TextField,
  useDebounced,
  useDrawerPage,
  useEndpoint,
  useSend,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { checkAddress, estimateGas, sendInscription } from '../contract.ts'
import { DestinationFacts } from './destination-facts.tsx'
import { type FeeBid, feeOf, type Warning, warningsOf } from './draft.ts'
import { FeeChoice } from './fee-choice.tsx'

export type SendInscriptionProps = {
  subWallet: { id: string; name: string }
  inscription: { id: string; chain: string; network: string; symbol: string; amount: string; coin: string; value: string }
}

const ADDRESS = /^[!-~]{1,200}$/

/** Asks for an inscribed token to be sent: to whom, and what the fee may reach. The amount and the coin under it are the inscription's. */
export function SendInscriptionDrawer({ subWallet, inscription }: SendInscriptionProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [bid, setBid] = useState<FeeBid>({ tier: 'normal', cap: '' })
  const [acknowledged, setAcknowledged] = useState<Warning[]>([])
  const [requestIdOf] = useState(() => requestIdKeeper())
  const { check, quote, isWaiting } = useAnswers({ subWallet, inscription }, typed)
  const send = useSend(sendInscription, { refresh: [listTransactions, listCoinAssets, listTodo] })
  const fee = feeOf(quote, bid)
  const isReady = !isWaiting && check?.valid && fee !== undefined && warningsOf(check).every((each) => acknowledged.includes(each))
  const submit = async () => {
    if (!isReady) return
    const { id, chain, symbol } = inscription
    const order = { sub_wallet_id: subWallet.id, chain, symbol, inscription_ids: id, address_to: typed.trim(), max_fee: fee, ack: acknowledged.join(',') }
    const made = await send.mutateAsync({ request_id: requestIdOf(order), ...order }).catch(() => undefined)
    if (!made) return
    close()
    void navigate(`/mpc/center/wallet/transactions?order=${made.withdraw_id}`)
  }
  return (
    <>
      <DrawerBody>
        <Facts
          facts={[
            { label: t('withdrawal.inscription.amount'), value: <Amount value={inscription.amount} unit={inscription.symbol} /> },
            { label: t('withdrawal.inscription.id'), value: <ShortAddress address={inscription.id} /> },
            { label: t('withdrawal.inscription.along'), value: <Amount value={inscription.value} unit={inscription.coin} /> },
            { label: t('withdrawal.inscription.from'), value: <Label text={`${subWallet.name} · ${inscription.network}`} /> },
          ]}
        />
        <Note>{t('withdrawal.inscription.note')}</Note>
        <TextField
          label={t('withdrawal.form.to')}
          value={typed}
          wraps
          autoComplete="off"
          className="hf-mono"
          onChange={(text) => {
            setTyped(text)
            setAcknowledged([])
          }}
        />
        {check && <DestinationFacts check={check} acknowledged={acknowledged} onAcknowledge={setAcknowledged} isTried={false} />}
        {quote && <FeeChoice quote={quote} bid={bid} isTried={false} onChange={setBid} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" disabled={!isReady} loading={send.isPending} onClick={() => void submit()}>
          {t('withdrawal.inscription.send')}
        </Button>
      </DrawerFooter>
    </>
  )
}

/** What the server says of the destination while it is typed, and of the fee. */
function useAnswers({ subWallet, inscription }: SendInscriptionProps, typed: string) {
  const to = useDebounced(typed.trim())
  const asked = { sub_wallet_id: subWallet.id, chain: inscription.chain }
  const canAsk = ADDRESS.test(to)
  const check = useEndpoint(checkAddress, { ...asked, address: to }, { enabled: canAsk })
  const known = canAsk && check.data?.valid ? check.data.canonical : null
  const quote = useEndpoint(
    estimateGas,
    { ...asked, symbol: inscription.coin, to: known ?? '', amount: inscription.value, inscription_id: inscription.id },
    { enabled: known !== null, keepLast: true, refetchEveryMs: (data) => data?.valid_ms ?? false },
  )
  return { check: canAsk ? check.data : undefined, quote: known === null ? undefined : quote.data, isWaiting: to !== typed.trim() }
}
