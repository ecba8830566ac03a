import { ChainError } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { parseSignature, typeText } from './abi-type.ts'
import { type AbiValue, decodeFunctionCall } from './abi-value.ts'
import { selectorOf } from './call-data.ts'
import { KNOWN_FUNCTIONS } from './known-functions.ts'
import { isPayoutsDeployment } from './payouts/is-deployment.ts'
import { PAYOUTS } from './payouts/pay-many.ts'
import { type Find, findDeeds } from './scan-call.ts'

/**
 * A right over what an address has, given to somebody else. `allowance`: to take up to `amount` base units of `token` (of a collection of ERC-721: its token of
 * that number). `operator`: to take everything of a collection.
 */
export type Grant =
  | { kind: 'allowance'; token: string; spender: string; amount: bigint; adds: boolean }
  | { kind: 'operator'; token: string; spender: string; approved: boolean }

/**
 * What call data says: the function, each argument with its type, the rights it gives, also those that calls inside of it give, and every function in it that
 * moves something or gives a right (`findDeeds`).
 */
export type CallReading = { signature: string | null; args: { type: string; value: AbiValue }[]; grants: Grant[]; finds: Find[] }

/** An allowance from which on it counts as unlimited where words and rules of the first form speak of it: all ones in 96 bits. */
export const UNLIMITED_FROM = (1n << 96n) - 1n
/** More than the supply of any token: an allowance from here on bounds nothing. */
export const ANY_SUPPLY = 1n << 95n

type Known =
  | { does: 'transfer' }
  /** Call data that is carried along, each of which the called contract runs. */
  | { does: 'carry' }
  | { does: 'grant'; grant: (contract: string, args: AbiValue[]) => Grant }

const allowance =
  (places: { token?: number; spender: number; amount: number }, adds = false) =>
  (contract: string, args: AbiValue[]): Grant => ({
    kind: 'allowance',
    token: places.token === undefined ? contract : (args[places.token] as string),
    spender: args[places.spender] as string,
    amount: args[places.amount] as bigint,
    adds,
  })

/** Functions whose every argument is understood. What is told of them stands in words that people have signed, so that none is taken away or added. */
const UNDERSTOOD: Record<string, Known> = {
  ...Object.fromEntries(KNOWN_FUNCTIONS.filter(({ asTransfer }) => asTransfer).map(({ signature }) => [signature, { does: 'transfer' }])),
  'approve(address,uint256)': { does: 'grant', grant: allowance({ spender: 0, amount: 1 }) },
  'increaseAllowance(address,uint256)': { does: 'grant', grant: allowance({ spender: 0, amount: 1 }, true) },
  'increaseApproval(address,uint256)': { does: 'grant', grant: allowance({ spender: 0, amount: 1 }, true) },
  'approveAndCall(address,uint256)': { does: 'grant', grant: allowance({ spender: 0, amount: 1 }) },
  'approveAndCall(address,uint256,bytes)': { does: 'grant', grant: allowance({ spender: 0, amount: 1 }) },
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': { does: 'grant', grant: allowance({ spender: 1, amount: 2 }) },
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': {
    does: 'grant',
    grant: (token, args) => ({ kind: 'operator', token, spender: args[1] as string, approved: args[4] as boolean }),
  },
  'approve(address,address,uint160,uint48)': { does: 'grant', grant: allowance({ token: 0, spender: 1, amount: 2 }) },
  'setApprovalForAll(address,bool)': {
    does: 'grant',
    grant: (token, args) => ({ kind: 'operator', token, spender: args[0] as string, approved: args[1] as boolean }),
  },
  'multicall(bytes[])': { does: 'carry' },
  'multicall(uint256,bytes[])': { does: 'carry' },
  'multicall(bytes32,bytes[])': { does: 'carry' },
}

const BY_SELECTOR = new Map(
  Object.entries(UNDERSTOOD).map(([signature, known]) => {
    const called = parseSignature(signature)
    return [called.selector, { ...known, called }]
  }),
)

// Calls carried in calls that are carried: no honest one goes deeper.
const DEPTH_MAX = 4

/** The signature of a function that moves tokens by itself, which an order has to name as a transfer, or undefined. */
export function transferFunctionOf(data: Uint8Array): string | undefined {
  const known = BY_SELECTOR.get(selectorOf(data))
  return known?.does === 'transfer' ? known.called.signature : undefined
}

/** The signature of a function understood here, by the digits that call data begins with. */
export function understoodSignatureOf(data: Uint8Array): string | undefined {
  return BY_SELECTOR.get(selectorOf(data))?.called.signature
}

/**
 * Reads call data by the function it is claimed to be; `null` claims none. Throws ChainError if the data is not exactly a call of that function, where it
 * moves tokens as a transfer does, and where a function understood here goes by another name or by none.
 */
export function readCall({ contract, data, signature }: { contract: string; data: Uint8Array; signature: string | null }): CallReading {
  refuseTransfer(data)
  if (contract === PAYOUTS) throw new ChainError('the contract that pays many is called by batches: ask for one')
  const known = understoodSignatureOf(data)
  if (known !== undefined && known !== signature) throw new ChainError(`the call data is a call of ${known}, not of ${signature ?? 'a function nobody knows'}`)
  // What the code of a contract does is done when somebody calls it: to deploy the one that pays many moves nothing.
  const finds = isPayoutsDeployment({ contract, data }) ? [] : findDeeds(data)
  if (signature === null) return { signature, args: [], grants: [], finds }
  const called = parseSignature(signature)
  const values = decodeFunctionCall(called, data)
  const args = called.inputs.map((type, i) => ({ type: typeText(type), value: at(values, i) }))
  return { signature, args, grants: grantsOf(contract, data, values, 0), finds }
}

/**
 * Whether a right has no bound that protects anything. `isCollection`: the token is one of ERC-721, whose numbers are names. `from`: the first amount without
 * end.
 */
export function isUnlimited(grant: Grant, isCollection: boolean, from: bigint): boolean {
  return grant.kind === 'operator' ? grant.approved : !isCollection && grant.amount >= from
}

function refuseTransfer(data: Uint8Array): void {
  const transfer = transferFunctionOf(data)
  if (transfer !== undefined) throw new ChainError(`${transfer} moves tokens: order it as a transfer, so that the rules for transfers decide`)
}

/** The rights that a call gives, with those of every call it carries. Bytes that begin like a known function are taken for a call of it. */
function grantsOf(contract: string, data: Uint8Array, values: AbiValue[], depth: number): Grant[] {
  if (depth > DEPTH_MAX) throw new ChainError('the call carries calls in calls deeper than any honest one')
  const known = BY_SELECTOR.get(selectorOf(data))
  const own = known?.does === 'grant' ? [known.grant(contract, values)] : []
  return [...own, ...carriedBytes(values).flatMap((carried) => carriedGrants(contract, carried, depth + 1))]
}

function carriedGrants(contract: string, data: Uint8Array, depth: number): Grant[] {
  refuseTransfer(data)
  const known = BY_SELECTOR.get(selectorOf(data))
  return known ? grantsOf(contract, data, decodeFunctionCall(known.called, data), depth) : []
}

function carriedBytes(values: readonly AbiValue[]): Uint8Array[] {
  return values.flatMap((value) => (value instanceof Uint8Array ? [value] : Array.isArray(value) ? carriedBytes(value) : []))
}

/** A value in words, exact: bytes in hexadecimal, text in quotes with everything that does not print spelled out. */
export function valueText(value: AbiValue): string {
  if (value instanceof Uint8Array) return `0x${toHex(value)}`
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'string' || /^0x[0-9a-fA-F]{40}$/.test(value)) return String(value)
  return JSON.stringify(value).replace(/[[\p{C}\p{Z}]--[ ]]/gv, (odd) =>
    [...odd].map((each) => `\\u{${known(each.codePointAt(0), 'the character').toString(16)}}`).join(''),
  )
}
