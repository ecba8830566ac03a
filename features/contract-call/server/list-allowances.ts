import { ChainError } from '@holdfast/chain-core'
import { encodeFunctionCall, type Grant, isUnlimited, parseSignature, readCall } from '@holdfast/chain-evm/codec'
import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { assetByContract, nameOfAsset, type Network } from '@holdfast/features/network/server'
import { requireSubWallet } from '@holdfast/features/wallet/server'
import { intentShape } from '@holdfast/intent'
import { balances } from '@holdfast/ledger'
import { formatAmount } from '@holdfast/units'

/** A right that may stand: `via` is the contract that was called for it, or the token itself where somebody took tokens under one. */
type Candidate = {
  network: Network
  owner: string
  token: string
  spender: string
  via: string
  isOperator: boolean
  orderId: string | null
  txid: string | null
}
/** What stands of it: an allowance in base units, a right over everything, or nobody knows. */
type Standing = { kind: 'allowance'; amount: bigint } | { kind: 'operator' } | { kind: 'unknown' }
type Held = ReadonlyMap<string, bigint>

const APPROVE = 'approve(address,uint256)'
const APPROVE_ALL = 'setApprovalForAll(address,bool)'
/** Questions to a node at a time. */
const AT_ONCE = 8

/**
 * What others may take of a sub-wallet's tokens now. Where to look is known from the calls that were signed for its addresses, since nothing else gives such a
 * right, and from those who took something; what stands of each is asked of the chain. One that stands no longer is left out, one that cannot be told is not.
 */
export async function listAllowances({ db, networks }: Pick<ServerContext, 'db' | 'networks'>, orgId: string, subWalletId: string) {
  const { candidates, held } = await db.asOrganisation(orgId, async (tx) => {
    await requireSubWallet(tx, subWalletId)
    const found = [...(await fromCalls(tx, networks, subWalletId)), ...(await fromPulls(tx, networks, subWalletId))]
    const booked = await balances(tx, subWalletId)
    return { candidates: distinct(found), held: new Map(booked.map(({ asset, available, held: kept }) => [keyOf(asset), available + kept])) }
  })
  const list = []
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const part = candidates.slice(at, at + AT_ONCE)
    const standing = await Promise.all(part.map(standingOf))
    list.push(...part.flatMap((each, i) => (isGone(standing[i]!) ? [] : [viewOf(each, standing[i]!, held)])))
  }
  return { list: list.toSorted((a, b) => Number(b.unlimited) - Number(a.unlimited)) }
}

const keyOf = ({ chain, contract }: { chain: string; contract: string | null }) => `${chain}|${contract ?? ''}`
const isGone = (standing: Standing) => standing.kind === 'allowance' && standing.amount === 0n

/** The rights that calls gave which signers were asked for, the newest first. */
async function fromCalls(tx: OrganisationTx, networks: ServerContext['networks'], subWalletId: string): Promise<Candidate[]> {
  const rows = await tx
    .selectFrom('transfer_order')
    .select(['id', 'chain', 'address_from', 'intent', 'txid'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('kind', '=', 'web3')
    .where('slot', 'is not', null)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.flatMap(({ id, chain, address_from: owner, intent: bytes, txid }) => {
    const [network, intent] = [networks.find(chain), decode(intentShape, bytes)]
    if (!network?.node.allowance || intent.kind !== 'contractCall') return []
    const { grants } = readCall({ contract: intent.to, data: intent.data, signature: intent.signature })
    return grants.map(({ kind, token, spender }: Grant) => ({
      network,
      owner,
      token,
      spender,
      via: intent.to,
      isOperator: kind === 'operator',
      orderId: id,
      txid,
    }))
  })
}

/** Whoever took tokens has a right to some. */
async function fromPulls(tx: OrganisationTx, networks: ServerContext['networks'], subWalletId: string): Promise<Candidate[]> {
  const rows = await tx
    .selectFrom('token_pull')
    .select(['chain', 'address', 'contract', 'taken_by', 'txid'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('reversed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.flatMap(({ chain, address: owner, contract: token, taken_by: spender, txid }) => {
    const network = networks.find(chain)
    return network?.node.allowance ? [{ network, owner, token, spender, via: token, isOperator: false, orderId: null, txid }] : []
  })
}

function distinct(found: readonly Candidate[]): Candidate[] {
  const key = ({ network, owner, token, spender, via, isOperator }: Candidate) => [network.chain, owner, token, spender, via, isOperator].join('|')
  return found.filter((each, at) => found.findIndex((other) => key(other) === key(each)) === at)
}

/** What a node says of a right. An allowance kept by another contract than the token's own is told by no common call. */
async function standingOf({ network: { node }, owner, token, spender, via, isOperator }: Candidate): Promise<Standing> {
  if (via !== token) return { kind: 'unknown' }
  const operates = isOperator ? await told(node.isOperator?.(owner, spender, token)) : false
  if (operates) return { kind: 'operator' }
  const amount = await told(node.allowance?.(owner, spender, token))
  if (amount !== undefined) return { kind: 'allowance', amount }
  return operates === false && isOperator ? { kind: 'allowance', amount: 0n } : { kind: 'unknown' }
}

/** Undefined where a node does not answer, or the token says nothing of the kind. */
async function told<T>(answer: Promise<T | undefined> | undefined): Promise<T | undefined> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

function viewOf({ network, owner, token, spender, via, isOperator, orderId, txid }: Candidate, standing: Standing, held: Held) {
  const asset = assetByContract(network, token)
  const amount = standing.kind === 'allowance' ? standing.amount : undefined
  const has = asset && (held.get(keyOf(asset)) ?? 0n)
  const shown = (sum: bigint) => (asset ? formatAmount(sum, asset.decimals) : String(sum))
  const grant: Grant = isOperator
    ? { kind: 'operator', token, spender, approved: standing.kind === 'operator' }
    : { kind: 'allowance', token, spender, amount: amount ?? 0n, adds: false }
  const takesAll = standing.kind === 'operator'
  return {
    chain: network.chain,
    network: network.name,
    coin: network.assets.find((each) => each.contract === null)?.symbol ?? '',
    symbol: asset ? nameOfAsset(asset) : '',
    contract_address: token,
    address: owner,
    spender,
    allowance: amount === undefined ? null : shown(amount),
    unlimited: takesAll || (amount !== undefined && isUnlimited(grant, false)),
    at_risk: has === undefined || amount === undefined ? null : shown(amount < has ? amount : has),
    status: standing.kind === 'unknown' ? ('unknown' as const) : ('open' as const),
    order_id: orderId,
    txid,
    revoke: via === token ? revocationOf(spender, takesAll) : null,
  }
}

/** The call that ends a right: none of a token any more, or none of a collection. */
function revocationOf(spender: string, isOperator: boolean): { function: string; input_data: string } {
  const signature = isOperator ? APPROVE_ALL : APPROVE
  const data = encodeFunctionCall(parseSignature(signature), [spender, isOperator ? false : 0n])
  return { function: signature, input_data: `0x${toHex(data)}` }
}
