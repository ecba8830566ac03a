import { useApi } from '@holdfast/client'
import { coinOption } from '@holdfast/features/network/console'
import { Button, DrawerBody, DrawerFooter, IconClose, Label, Note, TextField, useDrawerPage } from '@holdfast/ui'
import { AmountTextFault, parseAmount } from '@holdfast/units'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listTemplates } from '../../contract.ts'
import type { Who } from '@holdfast/features/rule-draft/contract'
import { AddPicker } from '../editor/parts.tsx'
import { WhoField } from '../editor/who-field.tsx'
import type { KnownAsset } from '@holdfast/features/rule-draft/console'
import { type Rules, useNames } from '../draft/use-rules.ts'

type Tier = { coin: KnownAsset; each: string; day: string; large: string }

const keyOf = ({ chain, asset }: KnownAsset) => `${chain} ${asset}`

/** Whether a text is an amount of a coin above zero. */
function isAmount(text: string, { decimals }: KnownAsset): boolean {
  try {
    return parseAmount(text.trim(), decimals) > 0n
  } catch (cause) {
    if (!(cause instanceof AmountTextFault)) throw cause
    return false
  }
}

/** Fills a template in: so much of which coins, who asks and who approves. Closes with the draft that comes of it. */
export function TemplateDrawer({ rules, id }: { rules: Rules; id: string }) {
  const { t } = useTranslation('strategyEngine')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const { client } = useApi()
  const names = useNames(rules.known, rules.base)
  const [tiers, setTiers] = useState<readonly Tier[]>(() => rules.known.assets.slice(0, 1).map((coin) => ({ coin, each: '', day: '', large: '' })))
  const everybody = rules.view.people.filter((each) => each.is_in_policy).map((each): Who => ({ kind: 'person', id: each.person_id }))
  const [askers, setAskers] = useState<Who[]>(everybody)
  const [approvers, setApprovers] = useState<Who[]>(everybody)
  const [isTried, setTried] = useState(false)
  const [state, setState] = useState<'idle' | 'loading' | 'none'>('idle')
  const isRight = ({ coin, each, day, large }: Tier) => isAmount(each, coin) && isAmount(day, coin) && (large.trim() === '' || isAmount(large, coin))
  const isWhole = tiers.length > 0 && tiers.every(isRight) && askers.length > 0 && approvers.length > 0
  const make = async () => {
    setTried(true)
    if (!isWhole) return
    setState('loading')
    const assets = tiers.map(({ coin, each, day, large }) => ({
      chain: coin.chain,
      asset: coin.asset,
      each: each.trim(),
      day: day.trim(),
      large: large.trim() || null,
    }))
    const made = await client.call(listTemplates, { form: { assets, askers, approvers } }).catch(() => undefined)
    const draft = made?.find((each) => each.id === id)?.draft
    if (draft) close(draft)
    else setState('none')
  }
  return (
    <>
      <DrawerBody>
        <ul className="hf-stack">
          {tiers.map((tier, at) => (
            <TierFields
              key={keyOf(tier.coin)}
              {...{ tier, isTried }}
              onChange={(next) => setTiers(tiers.with(at, next))}
              onDrop={() => setTiers(tiers.toSpliced(at, 1))}
            />
          ))}
        </ul>
        <AddCoin {...{ rules, tiers }} onAdd={(coin) => setTiers([...tiers, { coin, each: '', day: '', large: '' }])} />
        <p className="hf-small hf-muted">{t('rules.template.others')}</p>
        <div className="hf-stack-tight">
          <span className="hf-label">{t('rules.template.askers')}</span>
          <WhoField
            label={t('rules.template.askers')}
            who={askers}
            names={names}
            onChange={setAskers}
            error={isTried && askers.length === 0 ? t('rules.fault.nobody') : undefined}
          />
        </div>
        <div className="hf-stack-tight">
          <span className="hf-label">{t('rules.template.approvers')}</span>
          <WhoField
            label={t('rules.template.approvers')}
            who={approvers}
            names={names}
            onChange={setApprovers}
            error={isTried && approvers.length === 0 ? t('rules.fault.nobody') : undefined}
          />
        </div>
        {state === 'none' && <Note tone="bad">{t('rules.template.failed')}</Note>}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>
        <Button variant="primary" loading={state === 'loading'} onClick={() => void make()}>
          {t('rules.template.make')}
        </Button>
      </DrawerFooter>
    </>
  )
}

function AddCoin({ rules, tiers, onAdd }: { rules: Rules; tiers: readonly Tier[]; onAdd: (coin: KnownAsset) => void }) {
  const { t } = useTranslation('strategyEngine')
  const left = rules.known.assets.filter((each) => !tiers.some(({ coin }) => keyOf(coin) === keyOf(each)))
  return (
    <AddPicker
      label={t('rules.edit.addAsset')}
      options={left.map((each) =>
        coinOption(keyOf(each), each.symbol, { chain: each.chain, network: each.network, contract_address: each.asset === '' ? null : each.asset }),
      )}
      onAdd={(value) => left.filter((each) => keyOf(each) === value).forEach(onAdd)}
    />
  )
}

type TierProps = { tier: Tier; isTried: boolean; onChange: (tier: Tier) => void; onDrop: () => void }

function TierFields({ tier, isTried, onChange, onDrop }: TierProps) {
  const { t } = useTranslation('strategyEngine')
  const { coin } = tier
  const { symbol, network } = coin
  const fault = (text: string) => ((isTried || text !== '') && !isAmount(text, coin) ? t('rules.fault.amount') : undefined)
  return (
    <li className="hf-rule-piece">
      <div className="hf-rule-piece-head">
        <h3>
          <Label text={t('rules.say.onNetwork', { symbol, network })} />
        </h3>
        <button type="button" className="hf-icon-button" aria-label={t('rules.edit.takeOut', { name: symbol })} onClick={onDrop}>
          <IconClose />
        </button>
      </div>
      <div className="hf-rule-grid">
        {(['each', 'day', 'large'] as const).map((name) => (
          <TextField
            key={name}
            label={t(`rules.template.${name}`)}
            value={tier[name]}
            onChange={(text) => onChange({ ...tier, [name]: text })}
            inputMode="decimal"
            autoComplete="off"
            suffix={<span>{symbol}</span>}
            {...(name === 'large' && { placeholder: t('rules.edit.noBound') })}
            error={name === 'large' && tier.large === '' ? undefined : fault(tier[name])}
          />
        ))}
      </div>
    </li>
  )
}
