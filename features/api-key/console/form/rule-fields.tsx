import { Note, PickField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Chips, Choice, DropRow, NumberField, Part, WhoField } from '@holdfast/features/strategy/console'
import { WalletChips } from './fields.tsx'
import { peopleOf } from './people-of.ts'
import { capKey, chainsOf, faultOfRule, type Known, needsCoSigner, needsFees, needsPeople, type RuleTyped } from './typed.ts'

type RuleFieldsProps = {
  typed: RuleTyped
  known: Known
  coSigners: readonly { app_id: string; name: string }[]
  /** Whether the key signs what it asks for, so that its signature can be enough. */
  isSigned: boolean
  onChange: (typed: RuleTyped) => void
  wrong: (field: NonNullable<ReturnType<typeof faultOfRule>>) => string | undefined
}

/** The rule that only the key asks under: how much of what in a day, from where to whom, and who approves beside it. */
export function RuleFields({ typed, known, coSigners, isSigned, onChange, wrong }: RuleFieldsProps) {
  const { t } = useTranslation('apiPage')
  const set = (changes: Partial<RuleTyped>) => onChange({ ...typed, ...changes })
  return (
    <Part title={t('api.rule.title')} note={t('api.rule.note')}>
      <Caps {...{ typed, known, set }} error={wrong('caps')} />
      <div className="hf-api-grid">
        <TextField
          label={t('api.rule.orders')}
          value={typed.ordersADay}
          onChange={(ordersADay) => set({ ordersADay })}
          inputMode="numeric"
          maxLength={5}
          error={wrong('ordersADay')}
        />
      </div>
      <div className="hf-stack-tight">
        <span className="hf-label">{t('api.rule.from')}</span>
        <span className="hf-small hf-muted">{t('api.rule.fromNote')}</span>
        <WalletChips label={t('api.rule.from')} known={known} chosen={typed.from} onChange={(from) => set({ from })} />
      </div>
      <span className="hf-label">{t('api.rule.to')}</span>
      <Choice
        name="to"
        label={t('api.rule.to')}
        value={typed.to}
        options={(['own', 'listed', 'own_or_listed', 'any'] as const).map((value) => ({ value, label: t(`api.rule.toWhom.${value}`) }))}
        onChange={(to) => set({ to })}
      />
      {wrong('to') !== undefined && <Note tone="bad">{wrong('to')}</Note>}
      <Approving {...{ typed, known, coSigners, isSigned, set, wrong }} />
    </Part>
  )
}

type Set = (changes: Partial<RuleTyped>) => void

/** How much of each asset in a day. */
function Caps({ typed, known, set, error }: { typed: RuleTyped; known: Known; set: Set; error: string | undefined }) {
  const { t } = useTranslation('apiPage')
  const assets = known.assets.map((each) => ({ key: capKey(each), label: `${each.symbol} · ${each.network}`, symbol: each.symbol }))
  const chosen = Object.keys(typed.caps)
  const nameOf = (key: string) => assets.find((each) => each.key === key)
  const without = (key: string) => Object.fromEntries(Object.entries(typed.caps).filter(([each]) => each !== key))
  return (
    <div className="hf-stack-tight">
      <span className="hf-label">{t('api.rule.caps')}</span>
      {chosen.map((key) => (
        <div key={key} className="hf-rule-row hf-rule-amount">
          <TextField
            label={t('api.rule.cap', { name: nameOf(key)?.label ?? key })}
            value={typed.caps[key] ?? ''}
            onChange={(max) => set({ caps: { ...typed.caps, [key]: max } })}
            inputMode="decimal"
            suffix={<span>{nameOf(key)?.symbol ?? ''}</span>}
          />
          <DropRow name={nameOf(key)?.label ?? key} onDrop={() => set({ caps: without(key) })} />
        </div>
      ))}
      <Chips
        label={t('api.rule.caps')}
        addLabel={t('api.rule.addAsset')}
        chosen={[]}
        options={assets.filter(({ key }) => !chosen.includes(key)).map(({ key, label }) => ({ value: key, label }))}
        onAdd={(key) => set({ caps: { ...typed.caps, [key]: '' } })}
        onDrop={(key) => set({ caps: without(key) })}
        error={error}
      />
    </div>
  )
}

/** Who approves beside the signature of the key. */
function Approving({ typed, known, coSigners, isSigned, set, wrong }: Omit<RuleFieldsProps, 'onChange'> & { set: Set }) {
  const { t } = useTranslation('apiPage')
  const all = coSigners.length > 0 ? (['people', 'people_and_co_signer', 'co_signer', 'nobody'] as const) : (['people', 'nobody'] as const)
  const ways = all.filter((each) => isSigned || each !== 'nobody')
  const networkOf = (chain: string) => known.assets.find((each) => each.chain === chain && each.asset === '')
  return (
    <>
      <span className="hf-label">{t('api.rule.by')}</span>
      <Choice
        name="by"
        label={t('api.rule.by')}
        value={typed.by}
        options={ways.map((value) => ({ value, label: t(`api.rule.way.${value}`) }))}
        onChange={(by) => set({ by, coSigner: typed.coSigner ?? coSigners[0]?.app_id })}
      />
      {needsCoSigner(typed) && (
        <PickField
          label={t('api.kind.coSigner')}
          value={typed.coSigner}
          options={coSigners.map((each) => ({ value: each.app_id, label: each.name }))}
          onChange={(coSigner) => set({ coSigner })}
        />
      )}
      {wrong('coSigner') !== undefined && <Note tone="bad">{wrong('coSigner')}</Note>}
      {needsPeople(typed) && (
        <>
          <div className="hf-api-grid">
            <NumberField label={t('api.rule.need')} value={typed.need} max={255} onChange={(need) => set({ need })} />
          </div>
          <WhoField label={t('api.rule.who')} who={typed.who} names={peopleOf(known)} onChange={(who) => set({ who })} error={wrong('who')} />
        </>
      )}
      {needsFees(typed) && (
        <div className="hf-stack-tight">
          <span className="hf-label">{t('api.rule.fees')}</span>
          <div className="hf-api-grid">
            {chainsOf(typed).map((chain) => (
              <TextField
                key={chain}
                label={networkOf(chain)?.network ?? chain}
                value={typed.fees[chain] ?? ''}
                onChange={(max) => set({ fees: { ...typed.fees, [chain]: max } })}
                inputMode="decimal"
                suffix={<span>{networkOf(chain)?.symbol ?? ''}</span>}
                error={wrong('fees')}
              />
            ))}
          </div>
        </div>
      )}
    </>
  )
}
