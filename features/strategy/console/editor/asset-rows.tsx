import { CoinMark, coinOption, networkOption } from '@holdfast/features/network/console'
import { Label, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { assetOf, networkName } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import type { Names } from '../words/rule-words.ts'
import { AddPicker, DropRow, type FaultAt, FaultLine } from './parts.tsx'

type Assets = Extract<ConditionDraft, { kind: 'assets' }>
type Row = Assets['assets'][number]

const keyOf = (chain: string, asset: string | null) => `${chain} ${asset ?? '*'}`

/** Which coins a rule is for, each with how much of it. */
export function AssetRows({ condition, names, faultAt, onChange }: { condition: Assets; names: Names; faultAt: FaultAt; onChange: (next: Assets) => void }) {
  const { t } = useTranslation('strategyEngine')
  const { known } = names
  const set = (at: number, row: Row) => onChange({ ...condition, assets: condition.assets.map((each, i) => (i === at ? row : each)) })
  const options = [
    ...known.assets.map(({ chain, asset, symbol, network }) =>
      coinOption(keyOf(chain, asset), symbol, { chain, network, contract_address: asset === '' ? null : asset }),
    ),
    ...known.networks.map(({ chain, name }) => ({ ...networkOption(chain, t('rules.say.anyAsset', { network: name })), value: keyOf(chain, null) })),
  ].filter(({ value }) => !condition.assets.some(({ chain, asset }) => keyOf(chain, asset) === value))
  const add = (value: string) => {
    const coin = known.assets.find(({ chain, asset }) => keyOf(chain, asset) === value)
    const chain = coin?.chain ?? value.slice(0, -2)
    onChange({ ...condition, assets: [...condition.assets, { chain, asset: coin ? coin.asset : null, above: '0', at_most: null }] })
  }
  return (
    <div className="hf-stack-tight">
      <ul className="hf-rule-rows">
        {condition.assets.map((row, at) => (
          <AssetRow
            key={keyOf(row.chain, row.asset)}
            {...{ row, at, names, faultAt }}
            onChange={(next) => set(at, next)}
            onDrop={() => onChange({ ...condition, assets: condition.assets.filter((each) => each !== row) })}
          />
        ))}
      </ul>
      <AddPicker label={t('rules.edit.addAsset')} options={options} onAdd={add} />
      <FaultLine text={faultAt('assets')} />
    </div>
  )
}

type AssetRowProps = { row: Row; at: number; names: Names; faultAt: FaultAt; onChange: (row: Row) => void; onDrop: () => void }

function AssetRow({ row, at, names: { known }, faultAt, onChange, onDrop }: AssetRowProps) {
  const { t } = useTranslation('strategyEngine')
  const { chain, asset, above, at_most: most } = row
  const network = networkName(known, chain)
  const symbol = asset === null ? t('rules.say.anyAsset', { network }) : (assetOf(known, chain, asset)?.symbol ?? asset)
  return (
    <li className="hf-rule-row">
      <span className="hf-rule-coin">
        {asset !== null && <CoinMark chain={chain} contract={asset === '' ? null : asset} symbol={symbol} size="small" />}
        <span>
          <Label text={symbol} />
          {asset !== null && <span className="hf-small hf-faint hf-rule-network">{network}</span>}
        </span>
      </span>
      {asset !== null && (
        <>
          <TextField
            label={t('rules.edit.above')}
            placeholder="0"
            value={above === '0' ? '' : above}
            onChange={(text) => onChange({ ...row, above: text === '' ? '0' : text })}
            inputMode="decimal"
            autoComplete="off"
            suffix={<span>{symbol}</span>}
            error={faultAt(`assets.${at}.above`)}
          />
          <TextField
            label={t('rules.edit.atMost')}
            placeholder={t('rules.edit.noBound')}
            value={most ?? ''}
            onChange={(text) => onChange({ ...row, at_most: text === '' ? null : text })}
            inputMode="decimal"
            autoComplete="off"
            suffix={<span>{symbol}</span>}
            error={faultAt(`assets.${at}.at_most`)}
          />
        </>
      )}
      <DropRow name={symbol} onDrop={onDrop} />
    </li>
  )
}
