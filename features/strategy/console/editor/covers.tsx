import { networkOption } from '@holdfast/features/network/console'
import { Checkbox, PickField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { CoversDraft } from '@holdfast/features/rule-draft/contract'
import { assetOf, type Known, type NamedDraft } from '@holdfast/features/rule-draft/console'
import { type FaultAt, FaultLine, LinesField, NumberField, Part } from './parts.tsx'
import { settledTrades, TradeFields, tradesOf } from './trade-fields.tsx'

type Calls = Extract<CoversDraft, { kind: 'calls' }>
type Stake = Extract<CoversDraft, { kind: 'stake' }>

const ACTIONS = ['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate'] as const

/** What a rule is about, as it begins. */
export function coversOf(kind: CoversDraft['kind'], { networks }: Pick<Known, 'networks'>): CoversDraft {
  const chain = networks[0]?.chain ?? ''
  if (kind === 'payments') return { kind }
  if (kind === 'trades') return tradesOf({ networks })
  if (kind === 'stake') return { kind, chain, actions: ['stake', 'unstake', 'withdraw'], receivers: null, max_amount: '', max_lock_blocks: 0 }
  return { kind, chain, contracts: [], functions: [], max_value: '0', max_tokens: '0', unlimited_allowances: false, unknown_call_data: false }
}

/** The lines on which something stands. */
const filled = (lines: readonly string[]) => lines.filter((line) => line !== '')

type CoversProps = { rule: NamedDraft; known: Known; faultAt: FaultAt; onChange: (covers: CoversDraft) => void }

/** Which calls of contracts, orders about stake or trades a rule is about; nothing for one about payments. */
export function Covers({ rule: { covers, action }, ...rest }: CoversProps) {
  if (covers.kind === 'payments') return null
  if (covers.kind === 'trades') return <TradeFields covers={covers} refuses={action.kind === 'refuse'} {...rest} />
  return covers.kind === 'calls' ? <CallFields covers={covers} {...rest} /> : <StakeFields covers={covers} {...rest} />
}

type FieldsProps<Of> = Omit<CoversProps, 'rule'> & { covers: Of }

function Network({ covers, known, onChange }: FieldsProps<Calls | Stake>) {
  const { t } = useTranslation('strategyEngine')
  return (
    <PickField
      label={t('rules.edit.network')}
      value={covers.chain}
      options={known.networks.map(({ chain, name }) => networkOption(chain, name))}
      onChange={(chain) => onChange({ ...covers, chain })}
    />
  )
}

function CallFields({ covers, known, faultAt, onChange }: FieldsProps<Calls>) {
  const { t } = useTranslation('strategyEngine')
  const symbol = assetOf(known, covers.chain, '')?.symbol
  return (
    <Part title={t('rules.edit.calls')} note={t('rules.edit.callsNote')}>
      <div className="hf-rule-grid">
        <Network {...{ covers, known, faultAt, onChange }} />
        <LinesField
          label={t('rules.edit.contracts')}
          lines={covers.contracts}
          onChange={(contracts) => onChange({ ...covers, contracts })}
          error={faultAt('covers.contracts')}
        />
        <LinesField
          label={t('rules.edit.functions')}
          hint={t('rules.edit.functionsNote')}
          lines={covers.functions}
          onChange={(functions) => onChange({ ...covers, functions })}
          error={faultAt('covers.functions')}
        />
        <TextField
          label={t('rules.edit.callValue')}
          value={covers.max_value}
          onChange={(text) => onChange({ ...covers, max_value: text })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>{symbol}</span>}
          error={faultAt('covers.value')}
        />
        <TextField
          label={t('rules.edit.callTokens')}
          hint={t('rules.edit.baseUnits')}
          value={covers.max_tokens}
          onChange={(text) => onChange({ ...covers, max_tokens: text })}
          inputMode="numeric"
          autoComplete="off"
          error={faultAt('covers.tokens')}
        />
      </div>
      {(['unlimited_allowances', 'unknown_call_data'] as const).map((name) => (
        <Checkbox key={name} checked={covers[name]} onChange={(isOn) => onChange({ ...covers, [name]: isOn })}>
          {t(`rules.edit.${name}`)}
        </Checkbox>
      ))}
    </Part>
  )
}

function StakeFields({ covers, known, faultAt, onChange }: FieldsProps<Stake>) {
  const { t } = useTranslation('strategyEngine')
  const { actions, receivers } = covers
  return (
    <Part title={t('rules.edit.stake')} note={t('rules.edit.stakeNote')}>
      <div className="hf-rule-days" role="group" aria-label={t('rules.edit.stakeActions')}>
        {ACTIONS.map((action) => (
          <label key={action} className="hf-rule-day">
            <input
              type="checkbox"
              checked={actions.includes(action)}
              onChange={(event) =>
                onChange({ ...covers, actions: ACTIONS.filter((each) => (each === action ? event.target.checked : actions.includes(each))) })
              }
            />
            <span>{t(`rules.stake.${action}`)}</span>
          </label>
        ))}
      </div>
      <FaultLine text={faultAt('covers.actions')} />
      <div className="hf-rule-grid">
        <Network {...{ covers, known, faultAt, onChange }} />
        <TextField
          label={t('rules.edit.stakeAmount')}
          value={covers.max_amount}
          onChange={(text) => onChange({ ...covers, max_amount: text })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>{assetOf(known, covers.chain, '')?.symbol}</span>}
          error={faultAt('covers.amount')}
        />
        {actions.includes('delegate') && (
          <>
            <NumberField
              label={t('rules.edit.stakeLock')}
              hint={t('rules.edit.stakeLockNote')}
              value={covers.max_lock_blocks}
              onChange={(blocks) => onChange({ ...covers, max_lock_blocks: blocks })}
            />
            <LinesField
              label={t('rules.edit.stakeReceivers')}
              hint={t('rules.edit.stakeReceiversNote')}
              lines={receivers ?? []}
              onChange={(lines) => onChange({ ...covers, receivers: lines.every((line) => line === '') ? null : lines })}
            />
          </>
        )}
      </div>
    </Part>
  )
}

/** What a rule is about without what was typed around it, and without bounds where it refuses trades. */
export function settledCovers({ covers, action }: Pick<NamedDraft, 'covers' | 'action'>): CoversDraft {
  if (covers.kind === 'trades') return settledTrades(covers, action.kind === 'refuse')
  if (covers.kind === 'calls') return { ...covers, contracts: filled(covers.contracts), functions: filled(covers.functions) }
  if (covers.kind === 'stake') return { ...covers, receivers: covers.receivers && filled(covers.receivers) }
  return covers
}
