import { networkOption } from '@holdfast/features/network/console'
import { TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { assetOf, networkName } from '@holdfast/features/rule-draft/console'
import type { ActionDraft } from '@holdfast/features/rule-draft/contract'
import type { Names } from '../words/rule-words.ts'
import { AddPicker, DropRow, type FaultAt, FaultLine } from './parts.tsx'

type Pass = Extract<ActionDraft, { kind: 'pass' }>
type Props = { action: Pass; names: Names; faultAt: FaultAt; onChange: (action: Pass) => void }

/** What the fee of a payment that passes may reach on each network; it passes on no other. */
export function FeesField({ action, names: { known }, faultAt, onChange }: Props) {
  const { t } = useTranslation('strategyEngine')
  const { fees } = action
  const options = known.networks.filter(({ chain }) => !fees.some((each) => each.chain === chain)).map(({ chain, name }) => networkOption(chain, name))
  return (
    <div className="hf-stack-tight">
      <span className="hf-label">{t('rules.edit.fees')}</span>
      <ul className="hf-rule-rows">
        {fees.map(({ chain, max }, at) => (
          <li key={chain} className="hf-rule-row hf-rule-amount">
            <TextField
              label={t('rules.edit.feeOn', { network: networkName(known, chain) })}
              value={max}
              onChange={(text) => onChange({ ...action, fees: fees.with(at, { chain, max: text }) })}
              inputMode="decimal"
              autoComplete="off"
              suffix={<span>{assetOf(known, chain, '')?.symbol ?? ''}</span>}
              error={faultAt(`fees.${at}`)}
            />
            <DropRow name={networkName(known, chain)} onDrop={() => onChange({ ...action, fees: fees.toSpliced(at, 1) })} />
          </li>
        ))}
      </ul>
      <AddPicker label={t('rules.edit.addFee')} options={options} onAdd={(chain) => onChange({ ...action, fees: [...fees, { chain, max: '' }] })} />
      <FaultLine text={faultAt('fees')} />
    </div>
  )
}
