import { networkOption } from '@holdfast/features/network/console'
import { NumberField, Part, WhoField } from '@holdfast/features/strategy/console'
import { Checkbox, Note, PickField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { callNetworks, type CallsFault, type CallsTyped } from './calls-typed.ts'
import { peopleOf } from './people-of.ts'
import type { Known } from './typed.ts'

type CallFieldsProps = {
  typed: CallsTyped
  known: Known
  coSigners: readonly { app_id: string; name: string }[]
  onChange: (typed: CallsTyped) => void
  wrong: (field: CallsFault) => string | undefined
  /** Whether the server would refuse the calls, because the key lacks the permission for them. */
  lacksPermission: boolean
}

const NOBODY = ''

type CallsPartProps = CallFieldsProps & { label: string; isOn: boolean; onToggle: (isOn: boolean) => void }

/** Whether a key has contracts called by what is written here, and what it is. */
export function CallsPart({ label, isOn, onToggle, ...fields }: CallsPartProps) {
  return (
    <>
      <Checkbox checked={isOn} onChange={onToggle}>
        {label}
      </Checkbox>
      {isOn && <CallFields {...fields} />}
    </>
  )
}

/** The rule by which a key has contracts called: which contracts and functions, how much goes along, and which people approve each call. */
function CallFields({ typed, known, coSigners, onChange, wrong, lacksPermission }: CallFieldsProps) {
  const { t } = useTranslation('apiPage')
  const set = (changes: Partial<CallsTyped>) => onChange({ ...typed, ...changes })
  const networks = callNetworks(known)
  const names = peopleOf(known)
  if (networks.length === 0) return <Note tone="warn">{t('api.calls.noNetwork')}</Note>
  return (
    <Part title={t('api.calls.title')} note={t('api.calls.note')}>
      {lacksPermission && <Note tone="warn">{t('api.calls.lacksPermission')}</Note>}
      <PickField
        label={t('api.calls.network')}
        value={typed.chain}
        options={networks.map(({ chain, network }) => networkOption(chain, network))}
        onChange={(chain) => set({ chain })}
      />
      <TextField
        label={t('api.calls.contracts')}
        value={typed.contracts}
        onChange={(contracts) => set({ contracts })}
        rows={2}
        className="hf-mono"
        error={wrong('contracts')}
      />
      <TextField
        label={t('api.calls.functions')}
        hint={t('api.calls.functionsHint')}
        value={typed.functions}
        onChange={(functions) => set({ functions })}
        rows={2}
        className="hf-mono"
        error={wrong('functions')}
      />
      <CallAmounts {...{ typed, set, wrong }} symbol={networks.find(({ chain }) => chain === typed.chain)?.symbol ?? ''} />
      {coSigners.length > 0 && (
        <PickField
          label={t('api.calls.coSigner')}
          value={typed.coSigner ?? NOBODY}
          options={[{ value: NOBODY, label: t('api.calls.noCoSigner') }, ...coSigners.map((each) => ({ value: each.app_id, label: each.name }))]}
          onChange={(coSigner) => set({ coSigner: coSigner === NOBODY ? null : coSigner })}
        />
      )}
      <div className="hf-api-grid">
        <NumberField label={t('api.calls.need')} value={typed.need} max={255} onChange={(need) => set({ need })} />
      </div>
      <WhoField label={t('api.calls.who')} who={typed.who} names={names} onChange={(who) => set({ who })} error={wrong('callsWho')} />
    </Part>
  )
}

type CallAmountsProps = Pick<CallFieldsProps, 'typed' | 'wrong'> & { set: (changes: Partial<CallsTyped>) => void; symbol: string }

/** How much of what one call and a day may move, and how many calls there may be. */
function CallAmounts({ typed, set, wrong, symbol }: CallAmountsProps) {
  const { t } = useTranslation('apiPage')
  return (
    <div className="hf-api-grid">
      <TextField
        label={t('api.calls.value')}
        value={typed.maxValue}
        onChange={(maxValue) => set({ maxValue })}
        inputMode="decimal"
        autoComplete="off"
        suffix={<span>{symbol}</span>}
        error={wrong('maxValue')}
      />
      <TextField
        label={t('api.calls.tokens')}
        hint={t('api.calls.tokensHint')}
        value={typed.maxTokens}
        onChange={(maxTokens) => set({ maxTokens })}
        inputMode="numeric"
        autoComplete="off"
        error={wrong('maxTokens')}
      />
      <TextField
        label={t('api.calls.callsADay')}
        value={typed.callsADay}
        onChange={(callsADay) => set({ callsADay })}
        inputMode="numeric"
        maxLength={6}
        error={wrong('callsADay')}
      />
    </div>
  )
}
