import { useEndpoint } from '@holdfast/client'
import { listBook } from '@holdfast/features/address-book/contract'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { ErrorState, LoadingState, ManyPicker, PickField, SelectField, shortAddress } from '@holdfast/ui'
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

function ListedTargets({ draft, onChange }: Pick<TargetFieldsProps, 'draft' | 'onChange'>) {
  const { t } = useTranslation('coSigner')
  const { data, error, refetch } = useEndpoint(listBook, { whitelist_status: 'active', page_no: 1, page_size: 100 })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingState rows={1} />
  const chains = chainsOf(draft)
  const places = data.list.flatMap(({ name, address, memo, chains: known }) =>
    known.map(({ chain, network }) => ({ chain, address, memo, name: `${name} · ${network}`, detail: shortAddress(address) })),
  )
  // Those that were chosen stay to be seen, and taken out, though their coin went.
  const shown = places.filter((place) => chains.includes(place.chain) || draft.listed.some((each) => keyOf(each) === keyOf(place)))
  return (
    <div className="hf-stack-tight">
      <span className="hf-label">{t('standing.ask.listed')}</span>
      <p className="hf-small hf-muted">{t(places.length === 0 ? 'standing.ask.listedEmpty' : 'standing.ask.listedNote')}</p>
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
