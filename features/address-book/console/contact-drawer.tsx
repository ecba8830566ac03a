import { networkOption } from '@holdfast/features/network/console'
import { CallError, type OutputOf } from '@holdfast/contract'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { DrawerBody, DrawerForm, PickField, REMARK_LIMIT, TextField, useDebounced, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkPersonalAddress, listPersonalBook, savePersonal } from '../contract.ts'
import { addressBookErrors } from '../errors.ts'
import { AddressField, isPrintable } from './address-field.tsx'
import { CheckFacts } from './check-facts.tsx'

type Entry = OutputOf<typeof listPersonalBook>['list'][number]

const NAME_LIMIT = 50
const MEMO_LIMIT = 200

/** Adds a contact or changes one. The address is checked while it is typed. */
export function ContactDrawer({ entry }: { entry?: Entry }) {
  const { t } = useTranslation('whiteAddress')
  const { close } = useDrawerPage()
  const [isTaken, setTaken] = useState(false)
  const [isAcknowledged, setAcknowledged] = useState(false)
  const coins = useEndpoint(listOpenCoins, {})
  const networks = coins.data?.support_main_chain.map(({ chain, network }) => networkOption(chain, network)) ?? []
  const [chosenChain, setChain] = useState(entry?.chain)
  const chain = chosenChain ?? networks[0]?.value ?? ''
  const { form, field, valueOf, set, isTried, submit } = useTextForm(
    {
      name: { label: t('personal.name') },
      address: { label: t('personal.address') },
      memo: { label: t('personal.memo'), optional: true },
      note: { label: t('personal.remark'), optional: true },
    },
    entry,
  )
  const { check, isWaiting } = useCheck(chain, valueOf('address'), valueOf('memo'))
  const isUnchanged = entry !== undefined && entry.chain === chain && entry.address === check?.canonical && entry.memo === valueOf('memo').trim()
  const lookalike = check !== undefined && !isUnchanged && check.similar_to.length > 0
  // What was acknowledged of one address says nothing of another.
  const forget = () => {
    setTaken(false)
    setAcknowledged(false)
  }
  const send = useSend(savePersonal, { shows: isDuplicate })
  const save = async (given: { name: string; address: string; memo: string; note: string }) => {
    if (!check?.valid || (lookalike && !isAcknowledged)) return
    const saved = await send
      .mutateAsync({
        ...(entry ? { id: entry.id } : {}),
        name: given.name.trim(),
        chain,
        address: given.address.trim(),
        memo: given.memo.trim(),
        note: given.note.trim(),
        ...(lookalike ? { ack: 'lookalike' as const } : {}),
      })
      .catch((error: unknown) => setTaken(isDuplicate(error)))
    if (saved) close()
  }
  const takeAddress = (text: string) => {
    set('address', text)
    forget()
  }
  if (!coins.data) return <DrawerBody>{null}</DrawerBody>
  return (
    <DrawerForm
      form={form}
      send={t(entry ? 'personal.save' : 'personal.addOne')}
      isSending={send.isPending || isWaiting}
      isShut={check?.valid === false || (!isUnchanged && check?.duplicate_of != null)}
      onSend={(event) => submit(event, (given) => void save(given))}
    >
      <TextField {...field('name')} count={NAME_LIMIT} autoFocus autoComplete="off" />
      <PickField
        label={t('personal.network')}
        value={chain}
        options={networks}
        onChange={(next) => {
          setChain(next)
          forget()
        }}
      />
      <div className="hf-stack-tight">
        <AddressField
          {...field('address')}
          onChange={takeAddress}
          wanted={networks.flatMap(({ value, label: network }) => (value === chain ? [{ chain, network }] : []))[0]}
          onScan={({ to, memo = '' }) => {
            takeAddress(to)
            set('memo', memo)
          }}
        />
        {check && (
          <CheckFacts
            check={check}
            isUnchanged={isUnchanged}
            isTaken={isTaken}
            isAcknowledged={isAcknowledged}
            isTried={isTried}
            onAcknowledge={setAcknowledged}
          />
        )}
      </div>
      <TextField {...field('memo')} hint={t('personal.memoNote')} maxLength={MEMO_LIMIT} autoComplete="off" />
      <TextField {...field('note')} rows={2} count={REMARK_LIMIT} />
      <p className="hf-small hf-muted">{t('personal.notWhitelist')}</p>
    </DrawerForm>
  )
}

function useCheck(chain: string, typedAddress: string, typedMemo: string) {
  const address = useDebounced(typedAddress.trim())
  const memo = useDebounced(typedMemo.trim())
  const canAsk = chain !== '' && address !== '' && isPrintable(address)
  const { data, isPending } = useEndpoint(checkPersonalAddress, { chain, address, memo }, { enabled: canAsk })
  const isTyping = address !== typedAddress.trim() || memo !== typedMemo.trim()
  return { check: canAsk ? data : undefined, isWaiting: isTyping || (canAsk && isPending) }
}

const isDuplicate = (error: unknown): boolean => error instanceof CallError && error.is(addressBookErrors.address_duplicate)
