import { knownSignatureOf } from '@holdfast/chain-evm/codec'
import { fromHex } from '@holdfast/encoding'
import { useKeptDraft } from '@holdfast/features/session/console'
import { Amount, bringIntoView, CheckedFooter, DrawerBody, Note, SelectField, TextField, useChecked, useUnsaved } from '@holdfast/ui'
import { requestIdKeeper, useSend } from '@holdfast/client'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkCall, createCall } from '../contract.ts'
import { functionsOfAbi, isValue, writeCall } from './abi-form.ts'
import { CallPreview } from './call-preview.tsx'
import { CallSent } from './call-sent.tsx'
import type { CallTarget, openCallDrawer, TypedCall } from './open-call-drawer.tsx'

const EMPTY: TypedCall = { contract: '', how: 'data', data: '', method: '', abi: '', signature: '', texts: [], amount: '0', remark: '' }
const DATA = /^0x([0-9a-fA-F]{2}){4,30000}$/
const NORMAL = 1

/** The call as it is typed, or undefined while something is missing or is none of its type. */
function callOf(typed: TypedCall, { subWallet, chain }: CallTarget) {
  const written = typed.how === 'abi' ? writeCall(typed.signature, typed.texts) : typed.data.trim()
  if (written === undefined || !DATA.test(written) || typed.contract.trim() === '') return undefined
  const method = typed.how === 'abi' ? typed.signature : typed.method.trim() || (knownSignatureOf(fromHex(written)) ?? '')
  return {
    sub_wallet_id: subWallet.id,
    chain,
    interactive_contract: typed.contract.trim(),
    amount: typed.amount.trim() || '0',
    input_data: written,
    function: method,
  }
}

/** Asks for a call of a contract: pasted call data, or a function of a pasted ABI with its arguments; read whole before it is asked for. */
export function CallDrawer({ open, ...target }: CallTarget & { open: typeof openCallDrawer }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<TypedCall>(target.kept ?? { ...EMPTY, ...target.first })
  const [isChanged, setChanged] = useState(target.kept !== undefined)
  const [isRead, setRead] = useState(false)
  const [requestIdOf] = useState(() => requestIdKeeper())
  const check = useSend(checkCall)
  const create = useSend(createCall)
  const change = (next: Partial<TypedCall>) => {
    setTyped((present) => ({ ...present, ...next }))
    setChanged(true)
    setRead(false)
  }
  const call = callOf(typed, target)
  const { outcome, preview } = useChecked(check, call)
  const tier = outcome?.gas?.tiers[NORMAL]
  const isReady = outcome !== undefined && tier !== undefined && !outcome.policy.denied && (outcome.simulation.risk === 'none' || isRead)
  const send = () => {
    if (!call || !tier) return
    const order = { ...call, max_fee: tier.fee, remark: typed.remark, expire_hours: 168, ack: isRead }
    create.mutate({ request_id: requestIdOf(order), ...order })
  }
  const isUnsent = isChanged && !create.data
  const keep = useKeptDraft(create.data !== undefined)
  useUnsaved(isUnsent)
  // After every change: a session can end at any moment.
  useEffect(() => {
    if (isUnsent) keep((drawers, say) => open(drawers, { ...target, title: say('contractCall.newTitle'), kept: typed }))
  })
  if (create.data) return <CallSent href={create.data.approval_url} />
  return (
    <>
      <DrawerBody>
        <TextField
          label={t('contractCall.contract')}
          value={typed.contract}
          onChange={(contract) => change({ contract })}
          wraps
          autoComplete="off"
          className="hf-mono"
        />
        <SelectField
          label={t('contractCall.how')}
          value={typed.how}
          options={(['data', 'abi'] as const).map((value) => ({ value, label: t(`contractCall.by.${value}`) }))}
          onChange={(how) => change({ how: how as TypedCall['how'] })}
        />
        {typed.how === 'data' ? <DataFields typed={typed} onChange={change} /> : <AbiFields typed={typed} onChange={change} />}
        <TextField
          label={t('contractCall.amount', { coin: target.coin, network: target.network })}
          value={typed.amount}
          onChange={(amount) => change({ amount })}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField label={t('contractCall.remark')} value={typed.remark} onChange={(remark) => change({ remark })} rows={2} count={200} />
        {outcome && (
          <div ref={bringIntoView} className="hf-stack" aria-live="polite">
            <CallPreview decoded={outcome.decoded} simulation={outcome.simulation} />
            <Note tone={outcome.policy.denied ? 'bad' : 'good'}>{outcome.policy.sentence}</Note>
            {tier && outcome.gas && (
              <p className="hf-row-tight">
                {t('contractCall.fee')} <Amount value={tier.fee} unit={outcome.gas.fee_symbol} />
              </p>
            )}
            {outcome.simulation.risk === 'warn' && (
              <label className="hf-row-tight">
                <input type="checkbox" className="hf-tick" checked={isRead} onChange={(event) => setRead(event.target.checked)} />
                {t('contractCall.read')}
              </label>
            )}
          </div>
        )}
      </DrawerBody>
      <CheckedFooter
        isChecked={outcome !== undefined}
        check={{ words: t('contractCall.preview'), isOpen: call !== undefined, isPending: check.isPending, act: preview }}
        send={{ words: t('contractCall.send'), isOpen: isReady, isPending: create.isPending, act: send }}
      />
    </>
  )
}

type FieldsProps = { typed: TypedCall; onChange: (next: Partial<TypedCall>) => void }

function DataFields({ typed, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const fault = typed.data.trim() === '' || DATA.test(typed.data.trim()) ? undefined : t('contractCall.dataFault')
  return (
    <>
      <TextField
        label={t('contractCall.data')}
        value={typed.data}
        onChange={(data) => onChange({ data })}
        error={fault}
        wraps
        rows={3}
        autoComplete="off"
        className="hf-mono"
      />
      <TextField
        label={t('contractCall.method')}
        value={typed.method}
        onChange={(method) => onChange({ method })}
        hint={t('contractCall.methodHint')}
        placeholder="approve(address,uint256)"
        autoComplete="off"
        className="hf-mono"
      />
    </>
  )
}

function AbiFields({ typed, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const entries = typed.abi.trim() === '' ? [] : functionsOfAbi(typed.abi)
  const chosen = entries?.find((each) => each.signature === typed.signature)
  return (
    <>
      <TextField
        label={t('contractCall.abi')}
        value={typed.abi}
        onChange={(abi) => onChange({ abi, signature: functionsOfAbi(abi)?.[0]?.signature ?? '', texts: [] })}
        error={entries ? undefined : t('contractCall.abiFault')}
        rows={3}
        autoComplete="off"
        className="hf-mono"
      />
      {entries !== undefined && entries.length > 0 && (
        <SelectField
          label={t('contractCall.method')}
          value={typed.signature}
          options={entries.map(({ signature }) => ({ value: signature, label: signature }))}
          onChange={(signature) => onChange({ signature, texts: [] })}
        />
      )}
      {chosen?.arguments.map(({ name, type }, i) => {
        const text = typed.texts[i] ?? ''
        return (
          <TextField
            key={`${chosen.signature} ${i}`}
            label={`${name === '' ? i + 1 : name} (${type})`}
            value={text}
            error={text === '' || isValue(type, text) ? undefined : t('contractCall.argumentFault', { type })}
            onChange={(next) => onChange({ texts: chosen.arguments.map((_, at) => (at === i ? next : (typed.texts[at] ?? ''))) })}
            autoComplete="off"
            className="hf-mono"
          />
        )
      })}
    </>
  )
}
