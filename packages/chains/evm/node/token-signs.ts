import { ChainError, type TokenSigns } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'
import { parseSignature } from '../codec/abi-type.ts'
import { array, hexData, quantity, record } from './answers.ts'
import { NodeRefused, type Rpc } from './rpc.ts'
import { tokenBalance } from './token-balance.ts'
import { movedBy, tokenLogOf, TRANSFER } from './token-logs.ts'

/**
 * Functions of tokens whose balances change by themselves, and of those that keep a fee of each transfer. Sources: Lido stETH, Aave aTokens, Origin
 * OUSD, Olympus sOHM, Ampleforth, Mountain USDM, Superfluid; Tether USDT, Paxos PAXG, the reflection tokens after SafeMoon and their descendants.
 */
const FUNCTIONS: Record<TokenSigns['functions'][number]['kind'], readonly string[]> = {
  rebase: [
    'sharesOf(address)',
    'getPooledEthByShares(uint256)',
    'scaledBalanceOf(address)',
    'creditsBalanceOf(address)',
    'gonsForBalance(uint256)',
    'monetaryPolicy()',
    'rewardMultiplier()',
    'realtimeBalanceOfNow(address)',
  ],
  fee: [
    'basisPointsRate()',
    'feeRate()',
    'getFeeFor(uint256)',
    'tokenFromReflection(uint256)',
    '_taxFee()',
    'isExcludedFromFee(address)',
    'isExcludedFromFees(address)',
    'sellTotalFees()',
  ],
}
/** No token has it: one that answers it answers everything, and its answers say nothing. */
const NOBODYS = 'holdfastAsksForNothing()'

/** Most nodes keep the balances of about 128 blocks. Few blocks are asked for at first: a token may have thousands of transfers in each. */
const WINDOWS = [16n, 120n]
const HOLDERS_MAX = 6

/**
 * Looks for what tells that balances of a token are not the sum of its logs: well-known functions, and holders named in the newest transfers whose balance
 * changed by something else than those transfers say. That none is found proves nothing.
 */
export async function tokenSigns(rpc: Rpc, chain: string, token: string): Promise<TokenSigns> {
  const answersAll = await hasFunction(rpc, token, NOBODYS)
  const asked = Object.entries(FUNCTIONS).flatMap(([kind, names]) => names.map((name) => ({ kind: kind as keyof typeof FUNCTIONS, name })))
  const has = answersAll ? [] : await Promise.all(asked.map(({ name }) => hasFunction(rpc, token, name)))
  const head = quantity(record(await rpc('eth_getBlockByNumber', ['latest', false]), 'block').number, 'block number')
  for (const window of WINDOWS) {
    const from = head > window ? head - window : 0n
    const changes = await loggedChanges(rpc, chain, token, { from, to: head })
    if (changes.size > 0) return { functions: asked.filter((_, i) => has[i]), ...(await compare(rpc, token, { from, to: head }, changes)) }
  }
  return { functions: asked.filter((_, i) => has[i]), compared: 0, differing: 0 }
}

type Span = { from: bigint; to: bigint }

/** By how much the transfers of some blocks changed what each holder has, as the logs tell it; empty if the node does not tell of them. */
async function loggedChanges(rpc: Rpc, chain: string, token: string, { from, to }: Span): Promise<Map<string, bigint>> {
  const filter = { address: token, fromBlock: hex(from + 1n), toBlock: hex(to), topics: [TRANSFER] }
  const logs = await unlessRefused(rpc('eth_getLogs', [filter]))
  const changes = new Map<string, bigint>()
  const add = (holder: string, amount: bigint) => changes.set(holder, (changes.get(holder) ?? 0n) + amount)
  for (const log of logs === undefined ? [] : array(logs, 'list of logs').map(tokenLogOf)) {
    for (const { from: payer, to: payee, amount } of movedBy(log, 'erc20', chain) ?? []) {
      add(payer, -amount)
      add(payee, amount)
    }
  }
  // What is made comes from nobody, and what is burned goes there.
  changes.delete(NOBODY)
  return changes
}

const NOBODY = `0x${'0'.repeat(40)}`

/** Compares holders whom a node still tells the balances of. */
async function compare(rpc: Rpc, token: string, { from, to }: Span, changes: Map<string, bigint>): Promise<Pick<TokenSigns, 'compared' | 'differing'>> {
  const holders = [...changes].slice(-HOLDERS_MAX)
  const differences = await Promise.all(
    holders.map(async ([holder, change]) => {
      const [before, after] = await Promise.all([from, to].map((height) => unlessRefused(tokenBalance(rpc, holder, token, hex(height)))))
      return before === undefined || after === undefined ? undefined : after - before !== change
    }),
  )
  const known = differences.filter((each) => each !== undefined)
  return { compared: known.length, differing: known.filter(Boolean).length }
}

/** Whether a contract answers a function that only looks: with words, as solid contracts do, and through whatever stands before its code. */
async function hasFunction(rpc: Rpc, token: string, signature: string): Promise<boolean> {
  const { selector, inputs } = parseSignature(signature)
  const data = `${selector}${toHex(new Uint8Array(32 * inputs.length))}`
  const answer = await unlessRefused(rpc('eth_call', [{ to: token, data }, 'latest']))
  return answer !== undefined && fromHex(hexData(answer, 'answer of a token')).length >= 32
}

/** An answer; undefined if the contract gave an error, or the node does not keep what was asked for. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof ChainError && (cause instanceof NodeRefused || /there is no ERC-20 token/.test(cause.message))) return undefined
    throw cause
  }
}

const hex = (height: bigint) => `0x${height.toString(16)}`
