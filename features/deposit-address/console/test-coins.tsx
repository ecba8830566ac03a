import { Button, IconBolt, TextField, useTextForm } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getTestCoins } from '../contract.ts'

const SUGGESTED = '10'

/** On a network of this machine: coins without value, sent by its faucet to the address that is shown. */
export function TestCoins({ subWalletId, chain, symbol }: { subWalletId: string; chain: string; symbol: string }) {
  const { t } = useTranslation()
  const send = useSend(getTestCoins)
  const { form, field, submit } = useTextForm({ amount: { label: t('depositAddress.test.amount') } }, { amount: SUGGESTED })
  return (
    <form
      ref={form}
      className="hf-panel hf-stack-tight"
      aria-labelledby="test-coins"
      noValidate
      onSubmit={(event) => submit(event, ({ amount }) => send.mutate({ sub_wallet_id: subWalletId, chain, symbol, amount: amount.trim() }))}
    >
      <h3 id="test-coins">{t('depositAddress.test.title')}</h3>
      <p className="hf-small hf-muted">{t('depositAddress.test.note')}</p>
      <div className="hf-test-coins">
        <TextField {...field('amount')} inputMode="decimal" autoComplete="off" suffix={symbol} />
        <Button type="submit" variant="primary" icon={<IconBolt />} loading={send.isPending}>
          {t('depositAddress.test.send')}
        </Button>
      </div>
    </form>
  )
}
