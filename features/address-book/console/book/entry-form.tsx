import { CallError } from '@holdfast/contract'
import { knownAddressErrors } from '@holdfast/features/known-address/errors'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { useSecondFactor } from '@holdfast/features/session/console'
import {
  Button,
  Checkbox,
  DrawerBody,
  DrawerFooter,
  ManyPicker,
  Note,
  REMARK_LIMIT,
  SelectField,
  TextField,
  useDebounced,
  useDrawerPage,
  useTextForm,
} from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkBookAddress, listBookGroups, saveBookEntry } from '../../book-contract.ts'
import { addressBookErrors } from '../../errors.ts'
import { AddressField, isPrintable } from '../address-field.tsx'
import { CheckFacts } from '../check-facts.tsx'
import { AskedPage } from './asked-page.tsx'
import type { BookEntry } from './book-words.tsx'
import { CoolingNote } from './cooling-note.tsx'

const NAME_LIMIT = 50

/** Adds an entry to the organisation's book, from scratch or from a contact of one's own, or changes the words of one. */
export function EntryForm({ entry, from }: { entry?: BookEntry; from?: { name: string; chain: string; address: string; memo: string; note: string } }) {
  const { t } = useTranslation('whiteAddress')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const coins = useEndpoint(listOpenCoins, {})
  const groups = useEndpoint(listBookGroups, {})
  const networks = coins.data?.support_main_chain.map(({ chain: value, network: label }) => ({ value, label })) ?? []
  const [chosen, setChains] = useState(entry?.chains.map(({ chain }) => chain) ?? (from ? [from.chain] : undefined))
  const chains = chosen ?? networks.slice(0, 1).map(({ value }) => value)
  const [groupId, setGroup] = useState(entry?.group_id ?? '')
  const [isAsked, setAsked] = useState(entry === undefined)
  const [isAcknowledged, setAcknowledged] = useState(false)
  const [taken, setTaken] = useState<'duplicate' | 'in_flow'>()
  const [idOf] = useState(() => requestIdKeeper())
  const { form, field, valueOf, set, isTried, submit } = useTextForm(
    {
      name: { label: t('personal.name') },
      address: { label: t('personal.address') },
      memo: { label: t('personal.memo'), optional: true },
      vasp: { label: t('book.vasp'), optional: true },
      note: { label: t('personal.remark'), optional: true },
    },
    entry ?? (from ? { ...from, vasp: '' } : undefined),
  )
  const address = useDebounced(valueOf('address').trim())
  const memo = useDebounced(valueOf('memo').trim())
  const chain = chains[0] ?? ''
  const canAsk = entry === undefined && chain !== '' && address !== '' && isPrintable(address)
  const { data } = useEndpoint(checkBookAddress, { address, chain, memo }, { enabled: canAsk })
  const check = canAsk ? data : undefined
  const isLookalike = check !== undefined && check.duplicate_id === null && check.similar.length > 0
  const send = useSend(saveBookEntry)
  const forget = () => {
    setTaken(undefined)
    setAcknowledged(false)
  }
  const save = async (given: { name: string; address: string; memo: string; vasp: string; note: string }) => {
    if (check?.valid === false || (isLookalike && !isAcknowledged)) return
    const words = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.trim()])) as typeof given
    const asked = {
      ...words,
      chains,
      ...(entry ? { id: entry.id } : {}),
      ...(groupId === '' ? {} : { group_id: groupId }),
      whitelist: isAsked && !entry ? ('1' as const) : ('0' as const),
      ...(isLookalike ? { ack: 'lookalike' as const } : {}),
    }
    const saved = await send.mutateAsync({ request_id: idOf(asked), ...asked, ...(isAsked && second.given) }).catch((error: unknown) => {
      if (!(error instanceof CallError)) return undefined
      if (error.is(addressBookErrors.address_duplicate)) setTaken('duplicate')
      if (error.is(addressBookErrors.address_in_approval)) setTaken('in_flow')
      if (error.is(knownAddressErrors.address_look_alike)) setAcknowledged(false)
      return undefined
    })
    if (saved && saved.approval_url === null) close()
  }
  if (send.data?.approval_url) return <AskedPage href={send.data.approval_url} />
  if (!coins.data || !groups.data) return <DrawerBody>{null}</DrawerBody>
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, (given) => void save(given))}>
      <DrawerBody>
        <TextField {...field('name')} count={NAME_LIMIT} autoFocus autoComplete="off" />
        {entry === undefined && (
          <>
            <div className="hf-stack-tight">
              <span className="hf-label">{t('book.networks')}</span>
              <ManyPicker label={t('book.networks')} options={networks} values={chains} onChange={setChains} />
              <p className="hf-small hf-muted">{t('book.networksNote')}</p>
            </div>
            <div className="hf-stack-tight">
              <AddressField
                {...field('address')}
                onChange={(text) => {
                  set('address', text)
                  forget()
                }}
                wanted={networks.flatMap(({ value, label: network }) => (value === chain ? [{ chain, network }] : []))[0]}
                onScan={({ to, memo: scanned = '' }) => {
                  set('address', to)
                  set('memo', scanned)
                  forget()
                }}
              />
              {check && (
                <CheckFacts
                  check={{ ...check, similar_to: check.similar }}
                  isTaken={false}
                  isAcknowledged={isAcknowledged}
                  isTried={isTried}
                  onAcknowledge={setAcknowledged}
                />
              )}
            </div>
          </>
        )}
        {(check?.in_flow || taken === 'in_flow') && <Note tone="warn">{t('book.inFlow')}</Note>}
        {taken === 'duplicate' && check?.duplicate_id == null && <Note tone="bad">{t('book.duplicate')}</Note>}
        <TextField {...field('memo')} hint={t('personal.memoNote')} maxLength={200} autoComplete="off" />
        <SelectField
          label={t('book.group')}
          value={groupId}
          options={[{ value: '', label: t('book.noGroup') }, ...groups.data.list.map(({ id: value, name: label }) => ({ value, label }))]}
          onChange={setGroup}
        />
        <TextField {...field('vasp')} hint={t('book.vaspNote')} maxLength={100} autoComplete="off" />
        <TextField {...field('note')} rows={2} count={REMARK_LIMIT} />
        {entry === undefined && (
          <Checkbox checked={isAsked} onChange={setAsked}>
            {t('book.ask')}
          </Checkbox>
        )}
        {isAsked && !entry && <CoolingNote />}
        {isAsked && !entry && second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>
        <Button
          variant="primary"
          type="submit"
          loading={send.isPending}
          disabled={chains.length === 0 || check?.valid === false || check?.duplicate_id != null || (isAsked && !entry && !second.isReady)}
        >
          {t(entry ? 'book.save' : 'book.addOne')}
        </Button>
      </DrawerFooter>
    </form>
  )
}
