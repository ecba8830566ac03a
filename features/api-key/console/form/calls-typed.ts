import type { Who } from '@holdfast/features/rule-draft/contract'
import { textLines } from '@holdfast/units'
import { machineDraft, type MachineCalls } from '../../contract.ts'
import { callRuleIdOf } from '../../rule-ids.ts'
import type { Known } from './typed.ts'

/** The rule by which a key has contracts called, as it is typed: a contract and a function a line. */
export type CallsTyped = {
  chain: string
  contracts: string
  functions: string
  maxValue: string
  maxTokens: string
  callsADay: string
  need: number
  who: Who[]
  /** Null where no co-signer looks before people do. */
  coSigner: string | null
}
export type CallsFault = 'contracts' | 'functions' | 'maxValue' | 'maxTokens' | 'callsADay' | 'callsWho'

const asked = machineDraft.shape.calls.unwrap().shape

/** The networks on which contracts can be called: those of the Ethereum family and TRON, whose own coin the policy pins. */
export const callNetworks = ({ assets }: Pick<Known, 'assets'>): Known['assets'] =>
  assets.filter(({ chain, asset }) => asset === '' && /^(?:eip155|tron):/.test(chain))

/** A rule for calls that lets nothing through yet. */
export const newCalls = (known: Pick<Known, 'assets'>): CallsTyped => ({
  chain: callNetworks(known)[0]?.chain ?? '',
  contracts: '',
  functions: '',
  maxValue: '0',
  maxTokens: '0',
  callsADay: '20',
  need: 1,
  who: [],
  coSigner: null,
})

/** The rule that a key has, as it would be typed. */
export const callsTyped = ({ chain, contracts, functions, max_value, max_tokens, calls_a_day, need, who, co_signer }: MachineCalls): CallsTyped => ({
  chain,
  contracts: contracts.join('\n'),
  functions: functions.join('\n'),
  maxValue: max_value,
  maxTokens: max_tokens,
  callsADay: String(calls_a_day),
  need,
  who,
  coSigner: co_signer,
})

/** Whether the policy has a rule for the calls of a key. */
export const hasCalls = ({ app_id: appId, rules }: { app_id: string; rules: readonly { id: string }[] }): boolean =>
  rules.some(({ id }) => id === callRuleIdOf(appId))

/** A function as contracts name it: with the types of what it takes, and no spaces. */
const isFunction = (text: string): boolean => /^[A-Za-z_$][\w$]*\([^\s]*\)$/.test(text)

/** The first thing that is wrong with a rule for calls; undefined where nothing is. */
export function faultOfCalls(typed: CallsTyped): CallsFault | undefined {
  const { contracts, functions, max_value, max_tokens, calls_a_day } = callsOf(typed)
  if (!asked.contracts.safeParse(contracts).success) return 'contracts'
  if (!asked.functions.safeParse(functions).success || !functions.every(isFunction)) return 'functions'
  if (!asked.max_value.safeParse(max_value).success) return 'maxValue'
  if (!asked.max_tokens.safeParse(max_tokens).success) return 'maxTokens'
  if (!asked.calls_a_day.safeParse(calls_a_day).success || !/^\d{1,6}$/.test(typed.callsADay)) return 'callsADay'
  return typed.who.length === 0 || typed.need < 1 ? 'callsWho' : undefined
}

/** The rule as the call takes it. */
export const callsOf = ({ chain, contracts, functions, maxValue, maxTokens, callsADay, need, who, coSigner }: CallsTyped): MachineCalls => ({
  chain,
  contracts: textLines(contracts),
  functions: textLines(functions),
  max_value: maxValue.trim(),
  max_tokens: maxTokens.trim(),
  calls_a_day: Number(callsADay),
  need,
  who,
  co_signer: coSigner,
})
