import { CoinMark, coinOption, networkOption } from '@holdfast/features/network/console'
import type { CoversDraft } from '@holdfast/features/rule-draft/contract'
import { Checkbox, Label, PickField, SelectField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { assetOf, type Known } from '@holdfast/features/rule-draft/console'
import { AddPicker, Chips, DropRow, type FaultAt, FaultLine, Part, SpanField } from './parts.tsx'

type Trades = Extract<CoversDraft, { kind: 'trades' }>

const FORMS = ['uniswap-v2', 'uniswap-v3'] as const

/** Routers are read on networks of this kind alone. */
const isTraded = ({ chain }: { chain: string }) => chain.startsWith('eip155:')

/** Trades that a rule is about, as it begins. */
export function tradesOf({ networks }: Pick<Known, 'networks'>): Trades {
  const chain = networks.find(isTraded)?.chain ?? ''
  return { kind: 'trades', chain, form: 'uniswap-v2', router: '', gives: [], gets: [], slippage_percent: '1', deadline_s: 1800 }
}

type FieldsProps = { covers: Trades; known: Known; refuses: boolean; faultAt: FaultAt; onChange: (covers: Trades) => void }

/** At which router what may be given for what; a rule that refuses has no bounds, since it would let through what is beyond them. */
export function TradeFields({ covers, known, refuses, faultAt, onChange }: FieldsProps) {
  const { t } = useTranslation('strategyEngine')
  const assets = known.assets.filter((each) => each.chain === covers.chain && !each.asset.includes(':'))
  const options = assets.map(({ chain, asset, symbol, network }) =>
    coinOption(asset, symbol, { chain, network, contract_address: asset === '' ? null : asset }),
  )
  return (
    <Part title={t('rules.edit.trades')} note={t('rules.edit.tradesNote')}>
      <div className="hf-rule-grid">
        <PickField
          label={t('rules.edit.network')}
          value={covers.chain}
          options={known.networks.filter(isTraded).map(({ chain, name }) => networkOption(chain, name))}
          onChange={(chain) => onChange({ ...covers, chain, gives: [], gets: [] })}
        />
        <SelectField
          label={t('rules.edit.tradeForm')}
          value={covers.form}
          options={FORMS.map((value) => ({ value, label: t(`rules.tradeForm.${value}`) }))}
          onChange={(value) => onChange({ ...covers, form: FORMS.find((each) => each === value) ?? 'uniswap-v2' })}
        />
        <div className="hf-rule-wide">
          <TextField
            label={t('rules.edit.router')}
            hint={t('rules.edit.routerNote')}
            value={covers.router}
            onChange={(router) => onChange({ ...covers, router })}
            className="hf-mono"
            autoComplete="off"
            error={faultAt('covers.router')}
          />
        </div>
      </div>
      <Given {...{ covers, known, refuses, faultAt, onChange, options }} />
      <div className="hf-stack-tight">
        <h3>{t('rules.edit.gets')}</h3>
        <Chips
          label={t('rules.edit.gets')}
          addLabel={t('rules.edit.addGot')}
          chosen={covers.gets.map((asset) => ({ value: asset, label: assetOf(known, covers.chain, asset)?.symbol ?? asset }))}
          options={options}
          onAdd={(asset) => onChange({ ...covers, gets: [...covers.gets, asset] })}
          onDrop={(asset) => onChange({ ...covers, gets: covers.gets.filter((each) => each !== asset) })}
          error={faultAt('covers.gets')}
        />
      </div>
      {!refuses && <Bounds {...{ covers, faultAt, onChange }} />}
    </Part>
  )
}

type GivenProps = FieldsProps & { options: Parameters<typeof AddPicker>[0]['options'] }

/** What may be given, each with how much of it in one order. */
function Given({ covers, known, refuses, faultAt, onChange, options }: GivenProps) {
  const { t } = useTranslation('strategyEngine')
  const { chain, gives } = covers
  return (
    <div className="hf-stack-tight">
      <h3>{t('rules.edit.gives')}</h3>
      <ul className="hf-rule-rows">
        {gives.map((row, at) => {
          const symbol = assetOf(known, chain, row.asset)?.symbol ?? row.asset
          return (
            <li key={row.asset} className="hf-rule-row">
              <span className="hf-rule-coin">
                <CoinMark chain={chain} contract={row.asset === '' ? null : row.asset} symbol={symbol} size="small" />
                <span>
                  <Label text={symbol} />
                </span>
              </span>
              {!refuses && (
                <TextField
                  label={t('rules.edit.giveAtMost')}
                  value={row.at_most ?? ''}
                  onChange={(text) => onChange({ ...covers, gives: gives.with(at, { ...row, at_most: text }) })}
                  inputMode="decimal"
                  autoComplete="off"
                  suffix={<span>{symbol}</span>}
                  error={faultAt(`covers.gives.${at}`)}
                />
              )}
              <DropRow name={symbol} onDrop={() => onChange({ ...covers, gives: gives.toSpliced(at, 1) })} />
            </li>
          )
        })}
      </ul>
      <AddPicker
        label={t('rules.edit.addGiven')}
        options={options.filter(({ value }) => !gives.some(({ asset }) => asset === value))}
        onAdd={(asset) => onChange({ ...covers, gives: [...gives, { asset, at_most: '' }] })}
      />
      <FaultLine text={faultAt('covers.gives')} />
    </div>
  )
}

/** How much less what is got may be worth, and until when the trade has to be done. */
function Bounds({ covers, faultAt, onChange }: Pick<FieldsProps, 'covers' | 'faultAt' | 'onChange'>) {
  const { t } = useTranslation('strategyEngine')
  const { slippage_percent: slippage, deadline_s: deadline } = covers
  return (
    <>
      <div className="hf-rule-grid">
        <TextField
          label={t('rules.edit.slippage')}
          hint={t('rules.edit.slippageNote')}
          value={slippage ?? ''}
          onChange={(text) => onChange({ ...covers, slippage_percent: text })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>%</span>}
          error={faultAt('covers.slippage')}
        />
        {deadline !== null && (
          <SpanField
            label={t('rules.edit.deadline')}
            hint={t('rules.edit.deadlineNote')}
            value={deadline}
            onChange={(seconds) => onChange({ ...covers, deadline_s: seconds })}
            error={faultAt('covers.deadline')}
          />
        )}
      </div>
      <Checkbox checked={deadline === null} onChange={(isOpen) => onChange({ ...covers, deadline_s: isOpen ? null : 1800 })}>
        {t('rules.edit.anyDeadline')}
      </Checkbox>
    </>
  )
}
