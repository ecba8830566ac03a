import type { InscriptionForm } from '@holdfast/features/console-feature'
import { BRC20_DECIMALS, brc20Asset } from '@holdfast/chain-core'
import { guessAddress } from '@holdfast/chain-registry/guess-address'
import { formatAmount, parseAmount } from '@holdfast/units'
import { Amount, Button, Checkbox, DrawerBody, DrawerFooter, Facts, Label, Note, ShortAddress, useDebounced, useDrawerPage } from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { checkAddress, estimateGas, sendInscription, type Warning } from '../contract.ts'
import { DestinationField } from './destination-field.tsx'
import { DestinationFacts } from './destination-facts.tsx'
import { type ChosenFee, feeOf, warningsOf } from './draft.ts'
import { FeeChoice } from './fee-choice.tsx'

/** What an inscription moves, and the amount of the coin under it. */
type Part = { id: string; amount: string; value: string }

/** The most that one order takes. */
const TOGETHER_MAX = 16
const COIN_DECIMALS = 8

const sumOf = (parts: readonly Part[], of: 'amount' | 'value', decimals: number): string =>
  formatAmount(
    parts.reduce((sum, part) => sum + parseAmount(part[of], decimals), 0n),
    decimals,
  )

/** Requests sending inscribed tokens: to whom, and what the fee may reach. The inscriptions determine the amount and the coins. */
export function SendInscriptionDrawer({ subWallet, inscription, others }: InscriptionForm) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [chosenFee, setChosenFee] = useState<ChosenFee>({ tier: 'normal', cap: '' })
  const [acknowledged, setAcknowledged] = useState<Warning[]>([])
  const [requestIdOf] = useState(() => requestIdKeeper())
  const [more, setMore] = useState<readonly string[]>([])
  const parts = [inscription, ...others.filter(({ id }) => more.includes(id))]
  const ids = parts.map(({ id }) => id).join(',')
  const [amount, value] = [sumOf(parts, 'amount', BRC20_DECIMALS), sumOf(parts, 'value', COIN_DECIMALS)]
  const { check, quote, isWaiting } = useAnswers({ subWallet, inscription: { ...inscription, id: ids, value } }, typed)
  const send = useSend(sendInscription)
  const fee = feeOf(quote, chosenFee)
  const isReady = !isWaiting && check?.valid && fee !== undefined && warningsOf(check).every((each) => acknowledged.includes(each))
  const takeAddress = (text: string) => {
    setTyped(text)
    setAcknowledged([])
  }
  const submit = async () => {
    if (!isReady) return
    const { chain, symbol } = inscription
    const order = { sub_wallet_id: subWallet.id, chain, symbol, inscription_ids: ids, address_to: typed.trim(), max_fee: fee, ack: acknowledged.join(',') }
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
            { label: t('withdrawal.inscription.amount'), value: <Amount value={amount} unit={inscription.symbol} /> },
            { label: t('withdrawal.inscription.id'), value: parts.map(({ id }) => <ShortAddress key={id} address={id} />) },
            { label: t('withdrawal.inscription.along'), value: <Amount value={value} unit={inscription.coin} /> },
            { label: t('withdrawal.inscription.from'), value: <Label text={`${subWallet.name} · ${inscription.network}`} /> },
          ]}
        />
        {others.length > 0 && <Together {...{ others, more, symbol: inscription.symbol }} onChange={setMore} />}
        <Note>{t('withdrawal.inscription.note')}</Note>
        <DestinationField
          label={t('withdrawal.form.to')}
          value={typed}
          fromId={subWallet.id}
          coin={{ chain: inscription.chain, network: inscription.network, symbol: inscription.symbol, contract_address: brc20Asset(inscription.symbol) }}
          onChange={takeAddress}
          onTake={({ address }) => takeAddress(address)}
          onCode={({ to }) => takeAddress(to)}
        />
        {check && <DestinationFacts check={check} acknowledged={acknowledged} onAcknowledge={setAcknowledged} isTried={false} />}
        {quote && <FeeChoice quote={quote} chosenFee={chosenFee} isTried={false} onChange={setChosenFee} />}
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

/** Chooses which other inscriptions of the token go in the same transaction. */
function Together({
  others,
  more,
  symbol,
  onChange,
}: {
  others: readonly Part[]
  more: readonly string[]
  symbol: string
  onChange: (ids: readonly string[]) => void
}) {
  const { t } = useTranslation()
  return (
    <fieldset className="hf-fee-choice hf-stack-tight">
      <legend className="hf-label">{t('withdrawal.inscription.together')}</legend>
      {others.map(({ id, amount }) => (
        <Checkbox
          key={id}
          checked={more.includes(id)}
          disabled={!more.includes(id) && more.length + 1 >= TOGETHER_MAX}
          onChange={(isChosen) => onChange(isChosen ? [...more, id] : more.filter((each) => each !== id))}
        >
          <Amount value={amount} unit={symbol} /> · <ShortAddress address={id} />
        </Checkbox>
      ))}
    </fieldset>
  )
}

/** What the server says of the destination while it is typed, and of the fee. */
function useAnswers({ subWallet, inscription }: Omit<InscriptionForm, 'others'>, typed: string) {
  const to = useDebounced(typed.trim())
  const asked = { sub_wallet_id: subWallet.id, chain: inscription.chain }
  const canAsk = guessAddress(to, inscription.chain).kind === 'address'
  const check = useEndpoint(checkAddress, { ...asked, address: to }, { enabled: canAsk })
  const known = canAsk && check.data?.valid ? check.data.canonical : null
  const quote = useEndpoint(
    estimateGas,
    { ...asked, symbol: inscription.coin, to: known ?? '', amount: inscription.value, inscription_ids: inscription.id },
    { enabled: known !== null, keepLast: true, refetchEveryMs: (data) => data?.valid_ms ?? false },
  )
  return { check: canAsk && to === typed.trim() ? check.data : undefined, quote: known === null ? undefined : quote.data, isWaiting: to !== typed.trim() }
}
