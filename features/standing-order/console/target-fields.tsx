import { useEndpoint } from '@holdfast/client'
import { listBook } from '@holdfast/features/address-book/contract'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { ErrorState, LoadingState, ManyPicker, PickField, SelectField, shortAddress, TextFilter } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AskDraft, chainsOf, type ListedPlace } from './ask-draft.ts'

type TargetFieldsProps = { draft: AskDraft; wallets: readonly { value: string; label: string }[]; onChange: (changes: Partial<AskDraft>) => void }

/** Where a standing order moves to: an own sub-wallet, addresses on the whitelist, or the wallets that get coins for fees. */
export function TargetFields({ draft, wallets, onChange }: TargetFieldsProps) {
  const { t } = useTranslation('coSigner')
  if (draft.kind === 'fuel')
    return (
      <div className="hf-stack-tight">
        <span className="hf-label">{t('standing.ask.fuelTo')}</span>
        <ManyPicker label={t('standing.ask.fromNone')} options={wallets} values={draft.fuelled} onChange={(fuelled) => onChange({ fuelled })} />
      </div>
    )
  return (
    <>
      <SelectField
        label={t('standing.ask.goes')}
        value={draft.goesTo}
        options={(['own', 'listed'] as const).map((value) => ({ value, label: t(`standing.ask.goesTo.${value}`) }))}
        onChange={(goesTo) => onChange({ goesTo: goesTo as AskDraft['goesTo'] })}
      />
      {draft.goesTo === 'own' ? <OwnTarget {...{ draft, wallets, onChange }} /> : <ListedTargets {...{ draft, onChange }} />}
    </>
  )
}

function OwnTarget({ draft, wallets, onChange }: TargetFieldsProps) {
  const { t } = useTranslation('coSigner')
  const subWallets = useEndpoint(listAllSubWallets, { wallet_id: draft.targetWallet }, { enabled: draft.targetWallet !== '' })
  return (
    <div className="hf-standing-order-line">
      <PickField
        label={t('standing.ask.to')}
        options={wallets}
        value={draft.targetWallet || undefined}
        onChange={(targetWallet) => onChange({ targetWallet, targetSubWallet: '' })}
      />
      <PickField
        label={t('standing.ask.toSub')}
        options={(subWallets.data ?? []).map(({ sub_wallet_id: id, sub_wallet_name: name }) => ({ value: id, label: name }))}
        value={draft.targetSubWallet || undefined}
        onChange={(targetSubWallet) => onChange({ targetSubWallet })}
      />
    </div>
  )
}

const keyOf = ({ chain, address, memo }: ListedPlace) => `${chain} ${address} ${memo}`

/** Entries of the whitelist that are offered at a time; more are found by what they are called. */
const OFFERED = 100

function ListedTargets({ draft, onChange }: Pick<TargetFieldsProps, 'draft' | 'onChange'>) {
  const { t } = useTranslation('coSigner')
  const [keyword, setKeyword] = useState('')
  const asked = { whitelist_status: 'active' as const, page_no: 1, page_size: OFFERED, ...(keyword !== '' && { keyword }) }
  const { data, error, refetch } = useEndpoint(listBook, asked, { keepLast: true })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingState rows={1} />
  const chains = chainsOf(draft)
  const places = data.list.flatMap(({ name, address, memo, chains: known }) =>
    known.map(({ chain, network }) => ({ chain, address, memo, name: `${name} · ${network}`, detail: shortAddress(address) })),
  )
  // Those that were chosen stay to be seen, and taken out, though their coin went, or the search finds others.
  const found = places.filter((place) => chains.includes(place.chain) || draft.listed.some((each) => keyOf(each) === keyOf(place)))
  const unseen = draft.listed.filter((each) => !found.some((place) => keyOf(place) === keyOf(each)))
  const shown = [
    ...unseen.map((place) => ({ ...place, name: `${shortAddress(place.address)} · ${place.chain}`, detail: shortAddress(place.address) })),
    ...found,
  ]
  const isMore = data.pageTotal > OFFERED
  return (
    <div className="hf-stack-tight">
      <span className="hf-label">{t('standing.ask.listed')}</span>
      <p className="hf-small hf-muted">{t(places.length === 0 && keyword === '' ? 'standing.ask.listedEmpty' : 'standing.ask.listedNote')}</p>
      {(isMore || keyword !== '') && <TextFilter search label={t('standing.ask.listedFind')} value={keyword} onChange={setKeyword} />}
      {isMore && <p className="hf-small hf-muted">{t('standing.ask.listedMore', { count: OFFERED })}</p>}
      <ManyPicker
        label={t('standing.ask.listedNone')}
        options={shown.map((place) => ({ value: keyOf(place), label: place.name, detail: place.detail }))}
        values={draft.listed.map(keyOf)}
        onChange={(keys) =>
          onChange({ listed: shown.filter((place) => keys.includes(keyOf(place))).map(({ chain, address, memo }) => ({ chain, address, memo })) })
        }
      />
    </div>
  )
}
