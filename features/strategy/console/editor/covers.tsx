import { networkOption } from '@holdfast/features/network/console'
import { Checkbox, PickField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { CoversDraft } from '@holdfast/features/rule-draft/contract'
import { assetOf, type Known, type NamedDraft } from '@holdfast/features/rule-draft/console'
import { type FaultAt, FaultLine, LinesField, NumberField, Part } from './parts.tsx'
import { TradeFields, tradesOf } from './trade-fields.tsx'

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

type CoversProps = { rule: NamedDraft; known: Known; faultAt: FaultAt; onChange: (covers: CoversDraft) => void }

/** Which calls of contracts, orders about stake or trades a rule is about; nothing for one about payments. */
export function Covers({ rule: { covers, action }, ...rest }: CoversProps) {
  const refuses = action.kind === 'refuse'
  if (covers.kind === 'payments') return null
  if (covers.kind === 'trades') return <TradeFields {...{ covers, refuses }} {...rest} />
  return covers.kind === 'calls' ? <CallFields {...{ covers, refuses }} {...rest} /> : <StakeFields {...{ covers, refuses }} {...rest} />
}

/** `refuses`: then there are no bounds, beyond which the rule would let something through. */
type FieldsProps<Of> = Omit<CoversProps, 'rule'> & { covers: Of; refuses: boolean }

function Network({ covers, known, onChange }: Pick<FieldsProps<Calls | Stake>, 'covers' | 'known' | 'onChange'>) {
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

function CallFields({ covers, known, refuses, faultAt, onChange }: FieldsProps<Calls>) {
  const { t } = useTranslation('strategyEngine')
  return (
    <Part title={t('rules.edit.calls')} note={t(refuses ? 'rules.edit.callsRefusedNote' : 'rules.edit.callsNote')}>
      <div className="hf-rule-grid">
        <Network {...{ covers, known, onChange }} />
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
        {!refuses && <CallBounds {...{ covers, known, faultAt, onChange }} />}
      </div>
      {(refuses ? (['unknown_call_data'] as const) : (['unlimited_allowances', 'unknown_call_data'] as const)).map((name) => (
        <Checkbox key={name} checked={covers[name]} onChange={(isOn) => onChange({ ...covers, [name]: isOn })}>
          {t(refuses ? 'rules.edit.unknownRefused' : `rules.edit.${name}`)}
        </Checkbox>
      ))}
    </Part>
  )
}

/** How much a call sends along, moves and lets others take at most. */
function CallBounds({ covers, known, faultAt, onChange }: Omit<FieldsProps<Calls>, 'refuses'>) {
  const { t } = useTranslation('strategyEngine')
  return (
    <>
      <TextField
        label={t('rules.edit.callValue')}
        value={covers.max_value}
        onChange={(text) => onChange({ ...covers, max_value: text })}
        inputMode="decimal"
        autoComplete="off"
        suffix={<span>{assetOf(known, covers.chain, '')?.symbol}</span>}
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
    </>
  )
}

function StakeFields({ covers, known, refuses, faultAt, onChange }: FieldsProps<Stake>) {
  const { t } = useTranslation('strategyEngine')
  const { actions, receivers } = covers
  return (
    <Part title={t('rules.edit.stake')} note={t(refuses ? 'rules.edit.stakeRefusedNote' : 'rules.edit.stakeNote')}>
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
        <Network {...{ covers, known, onChange }} />
        {!refuses && (
          <TextField
            label={t('rules.edit.stakeAmount')}
            value={covers.max_amount}
            onChange={(text) => onChange({ ...covers, max_amount: text })}
            inputMode="decimal"
            autoComplete="off"
            suffix={<span>{assetOf(known, covers.chain, '')?.symbol}</span>}
            error={faultAt('covers.amount')}
          />
        )}
        {actions.includes('delegate') && (
          <>
            {!refuses && (
              <NumberField
                label={t('rules.edit.stakeLock')}
                hint={t('rules.edit.stakeLockNote')}
                value={covers.max_lock_blocks}
                onChange={(blocks) => onChange({ ...covers, max_lock_blocks: blocks })}
              />
            )}
            <LinesField
              label={t(refuses ? 'rules.edit.stakeReceiversRefused' : 'rules.edit.stakeReceivers')}
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
