import { NetworkChip, networkOption } from '@holdfast/features/network/console'
import { Button, Checkbox, Grouped, Label, PickField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Known, networkName } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { Chips, DropRow, type FaultAt, FaultLine } from './parts.tsx'

type Destinations = Extract<ConditionDraft, { kind: 'destinations' }>
type Props = { condition: Destinations; known: Known; faultAt: FaultAt; onChange: (next: Destinations) => void }

/** Whom a rule lets be paid: any one of what is ticked or named is enough. */
export function DestinationsFields({ condition, known, faultAt, onChange }: Props) {
  const { t } = useTranslation('strategyEngine')
  const { lists } = condition
  return (
    <div className="hf-stack-tight">
      <p className="hf-small hf-muted">{t('rules.edit.anyOfThese')}</p>
      {(['own', 'listed', 'paid_before'] as const).map((name) => (
        <Checkbox key={name} checked={condition[name]} onChange={(isOn) => onChange({ ...condition, [name]: isOn })}>
          <span className="hf-stack-tight">
            <span>{t(`rules.edit.to.${name}`)}</span>
            <span className="hf-small hf-muted">{t(`rules.edit.toNote.${name}`)}</span>
          </span>
        </Checkbox>
      ))}
      {(known.lists.length > 0 || lists.length > 0) && (
        <>
          <span className="hf-label">{t('rules.edit.lists')}</span>
          <Chips
            label={t('rules.edit.lists')}
            addLabel={t('rules.edit.addList')}
            chosen={lists.map((name) => ({ value: name, label: name }))}
            options={known.lists.map((name) => ({ value: name, label: name }))}
            onAdd={(name) => onChange({ ...condition, lists: [...lists, name] })}
            onDrop={(name) => onChange({ ...condition, lists: lists.filter((each) => each !== name) })}
          />
        </>
      )}
      <Addresses {...{ condition, known, onChange }} />
      <FaultLine text={faultAt('destinations')} />
    </div>
  )
}

const ADDRESS = /^[!-~]{10,128}$/

/** Addresses that the rule itself names, whole, with a name for people. */
function Addresses({ condition, known, onChange }: Omit<Props, 'faultAt'>) {
  const { t } = useTranslation('strategyEngine')
  const { addresses } = condition
  const [typed, setTyped] = useState({ name: '', chain: known.networks[0]?.chain ?? '', address: '', memo: '' })
  const isTaken = addresses.some(({ chain, address, memo }) => chain === typed.chain && address === typed.address.trim() && (memo ?? '') === typed.memo.trim())
  const isWhole = typed.name.trim() !== '' && ADDRESS.test(typed.address.trim()) && !isTaken
  const add = () => {
    const { name, chain, address, memo } = typed
    onChange({ ...condition, addresses: [...addresses, { name: name.trim(), chain, address: address.trim(), memo: memo.trim() === '' ? null : memo.trim() }] })
    setTyped({ ...typed, name: '', address: '', memo: '' })
  }
  return (
    <>
      <ul className="hf-rule-rows">
        {addresses.map((each) => (
          <li key={`${each.chain} ${each.address} ${each.memo ?? ''}`} className="hf-rule-row hf-rule-address">
            <span className="hf-stack-tight">
              <span className="hf-row-tight">
                <Label text={each.name} wrap />
                <NetworkChip chain={each.chain} network={networkName(known, each.chain)} />
              </span>
              <Grouped text={each.address} />
              {each.memo !== null && <span className="hf-small hf-muted">{t('rules.edit.memoIs', { memo: each.memo })}</span>}
            </span>
            <DropRow name={each.name} onDrop={() => onChange({ ...condition, addresses: addresses.filter((other) => other !== each) })} />
          </li>
        ))}
      </ul>
      <details className="hf-details">
        <summary>{t('rules.edit.addAddress')}</summary>
        <div className="hf-rule-grid">
          <TextField label={t('rules.edit.addressName')} value={typed.name} onChange={(name) => setTyped({ ...typed, name })} count={64} autoComplete="off" />
          <PickField
            label={t('rules.edit.network')}
            value={typed.chain}
            options={known.networks.map(({ chain, name }) => networkOption(chain, name))}
            onChange={(chain) => setTyped({ ...typed, chain })}
          />
          <div className="hf-rule-wide">
            <TextField
              label={t('rules.edit.address')}
              value={typed.address}
              onChange={(address) => setTyped({ ...typed, address })}
              className="hf-mono"
              autoComplete="off"
              wraps
              error={isTaken ? t('rules.edit.addressTaken') : undefined}
            />
          </div>
          <TextField
            label={t('rules.edit.addressMemo')}
            hint={t('rules.edit.addressMemoNote')}
            value={typed.memo}
            onChange={(memo) => setTyped({ ...typed, memo })}
            autoComplete="off"
          />
          <div>
            <Button size="small" disabled={!isWhole} onClick={add}>
              {t('rules.edit.addThisAddress')}
            </Button>
          </div>
        </div>
      </details>
    </>
  )
}
