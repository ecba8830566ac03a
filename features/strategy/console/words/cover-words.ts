import type { CoversDraft } from '@holdfast/features/rule-draft/contract'
import { networkName } from '@holdfast/features/rule-draft/console'
import type { Names } from './rule-words.ts'
import { GAP, grouped, list, symbolOf } from './sentence.ts'

type Calls = Extract<CoversDraft, { kind: 'calls' }>
type Stake = Extract<CoversDraft, { kind: 'stake' }>

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-6)}`
const filled = (lines: readonly string[]) => lines.filter((line) => line !== '')
const amountOf = (text: string) => (text.trim() === '' ? GAP : grouped(text.trim()))
const joined = ({ t }: Names, parts: readonly string[]) => parts.reduce((one, other) => t('rules.say.join', { one, other }))

/** Which calls a rule is about, and what they may do at most; one that refuses does so whatever they do. */
export function callWords(names: Names, covers: Calls, refuses: boolean): string {
  const { t, known } = names
  const { chain, max_value: value, max_tokens: tokens, unlimited_allowances: isEndless, unknown_call_data: isUnknown } = covers
  const of = {
    functions: list(
      names,
      covers.functions.map((each) => each.replace(/\(.*/s, '')),
    ),
    contracts: list(names, filled(covers.contracts).map(short)),
    network: networkName(known, chain),
  }
  const moved = /^0*$/.test(tokens.trim()) && tokens.trim() !== '' ? 'callNoTokens' : 'callTokens'
  const about = refuses
    ? [t('rules.say.callAny', of)]
    : [
        t('rules.say.call', { ...of, most: amountOf(value), symbol: symbolOf(names, chain, '') }),
        t(`rules.say.${moved}${isEndless ? 'Endless' : ''}`, { most: amountOf(tokens) }),
      ]
  return joined(names, [...about, ...(isUnknown ? [t('rules.say.callUnknown')] : [])])
}

/** Which orders about stake a rule is about, how much each is at most, and to whom stake may be delegated for how long. */
export function stakeWords(names: Names, { chain, actions, receivers, max_amount: amount, max_lock_blocks: blocks }: Stake, refuses: boolean): string {
  const { t, known } = names
  const of = {
    actions: list(
      names,
      actions.map((each) => t(`rules.stake.${each}`)),
    ),
    network: networkName(known, chain),
  }
  const about = refuses ? t('rules.say.stakeAny', of) : t('rules.say.stake', { ...of, most: amountOf(amount), symbol: symbolOf(names, chain, '') })
  if (!actions.includes('delegate')) return about
  const named = filled(receivers ?? []).map(short)
  // A rule that refuses says whose delegations only where it names them.
  const to = named.length > 0 ? [t('rules.say.stakeTo', { who: list(names, named) })] : refuses ? [] : [t('rules.say.stakeToAnyone')]
  return joined(names, [about, ...to, ...(refuses || blocks === 0 ? [] : [t('rules.say.stakeLock', { count: blocks })])])
}
