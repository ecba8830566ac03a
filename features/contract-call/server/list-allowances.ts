import { ChainError, nftAsset } from '@holdfast/chain-core'
import { ANY_SUPPLY, encodeFunctionCall, parseSignature, PAYOUTS } from '@holdfast/chain-evm/codec'
import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { assetByContract, nameOfAsset, type NetworkAsset } from '@holdfast/features/network/server'
import type { Fiat } from '@holdfast/features/price/contract'
import { formatWorth, latestPrices, priceKey, type Quote, worthAt } from '@holdfast/features/price/server'
import { namedSubWallets } from '@holdfast/features/wallet/server'
import { at, formatAmount, type OrganisationId, type SubWalletId, type WalletId } from '@holdfast/units'
import {
  type Candidate,
  findCandidates,
  firstOfEach,
  type HeldToken,
  heldTokens,
  type Holding,
  holdingsOf,
  isCollection,
  rightKey,
  type SubWallet,
} from './find-rights.ts'
import { atRisk, type May, type Right, valueAtRisk } from './value-at-risk.ts'

/** A right as it stands: `tokenId` where it is over one token of a collection, and the kind of call that ends it. */
type Standing = Candidate & { may: May; tokenId: bigint | null }
/** Which sub-wallet, or of which wallet all of them. */
type Asked = { subWalletId?: SubWalletId | undefined; walletId?: WalletId | undefined; nowMs: number; fiat: Fiat; language: Language }

const APPROVE = 'approve(address,uint256)'
const APPROVE_ALL = 'setApprovalForAll(address,bool)'
const NOBODY = `0x${'0'.repeat(40)}`
/** Questions to a node at a time. */
const AT_ONCE = 8
/** Single tokens about which a node is asked. How many more there are is told. */
const TOKENS_MAX = 400

/**
 * What others may take of the tokens of a sub-wallet, or of all of a wallet, now, and what that is worth. Where to look is known from the calls that were
 * signed for their addresses, since nothing else gives such a right, from those who took something, and from the single tokens that are held; what stands of
 * each is asked of the chain. One that stands no longer is left out, one that cannot be told is not.
 */
export async function listAllowances({ db, networks }: Pick<ServerContext, 'db' | 'networks'>, orgId: OrganisationId, asked: Asked) {
  const { candidates, tokens, held, prices } = await db.asOrganisation(orgId, async (tx) => {
    const subWallets = await subWalletsOf(tx, asked)
    const holdings = await holdingsOf(tx, subWallets)
    return {
      candidates: await findCandidates(tx, networks, subWallets),
      tokens: await heldTokens(tx, networks, subWallets, holdings),
      held: holdings,
      prices: await latestPrices(
        tx,
        networks.list().flatMap((network) => network.assets),
        asked.nowMs,
        asked.fiat,
      ),
    }
  })
  // Of a listed collection, what is held says all that can be taken by a right over a single token.
  const overAmounts = candidates.filter((each) => each.isOperator || each.via !== each.token || !isCollection(each.network, each.token))
  const answers = [
    ...(await inTurns(overAmounts, standingOf)),
    ...(await inTurns(tokens.slice(0, TOKENS_MAX), (token) => standingOfToken(token, candidates))),
  ].filter((each) => each !== undefined)
  const standing = firstOfEach(answers, (each) => `${rightKey(each)}|${each.tokenId}`)
  const rights = standing.map((each) => rightOf(each, held))
  const worth = (key: string, amount: bigint) => worthOf(rights.find(({ right }) => right.key === key)?.asset, amount, prices)
  const total = valueAtRisk(
    rights.map(({ right }) => right),
    worth,
  )
  const unasked = Math.max(0, tokens.length - TOKENS_MAX)
  const list = rights.map(({ right, asset }, i) => viewOf(at(standing, i), asset, right, prices))
  return {
    usd_at_risk: total.value === undefined ? null : formatWorth(total.value),
    usd_partial: total.isPartial || (unasked > 0 && total.value !== undefined),
    price_source: prices.values().next().value?.source[asked.language] ?? null,
    unasked,
    list: list.toSorted(byRisk).map(({ row }) => row),
  }
}

/** Throws `wallet_not_found` if nothing is named, or nothing of the organisation. */
async function subWalletsOf(tx: OrganisationTx, { subWalletId, walletId }: Asked): Promise<SubWallet[]> {
  const named = namedSubWallets(tx)
  const ofWallet = walletId === undefined ? named : named.where('sub_wallet.wallet_id', '=', walletId)
  const found = subWalletId === undefined ? ofWallet : ofWallet.where('sub_wallet.id', '=', subWalletId)
  const subWallets = subWalletId === undefined && walletId === undefined ? [] : await found.execute()
  if (subWallets.length === 0) throw new AppError('wallet_not_found')
  return subWallets
}

async function inTurns<T, U>(items: readonly T[], ask: (item: T) => Promise<U>): Promise<U[]> {
  const answers: U[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))))
  return answers
}

/** What a node says of a right, or undefined if it is over. One that is kept by another contract than the token's own is told by no common call. */
async function standingOf(right: Candidate): Promise<Standing | undefined> {
  const { network, owner, token, spender, via, isOperator } = right
  const { contracts } = network.node
  const known = (may: May, tokenId: bigint | null = null): Standing | undefined => (may === 0n ? undefined : { ...right, may, tokenId })
  if (via !== token) return known('unknown')
  if (isOperator) {
    const operates = await told(contracts?.isOperator(owner, spender, token))
    if (operates) return known('everything')
    // Some tokens have a right over everything in another form, and tell it as an allowance.
    return known((await told(contracts?.allowance(owner, spender, token))) ?? (operates === false ? 0n : 'unknown'))
  }
  const amount = await told(contracts?.allowance(owner, spender, token))
  if (amount !== undefined) return known(amount)
  // What has no allowances may be a collection that nobody lists here: then the amount was the number of a token.
  const approved = await told(contracts?.approvedFor(token, right.amount))
  if (approved === undefined) return known('unknown')
  return approved === spender ? known(1n, right.amount) : undefined
}

/** Whom a node says may take a token that is held: nobody, or somebody with the call that let them where that is known. */
async function standingOfToken(held: HeldToken, candidates: readonly Candidate[]): Promise<Standing | undefined> {
  const { subWallet, network, owner, collection: token, tokenId } = held
  const spender = await told(network.node.contracts?.approvedFor(token, tokenId))
  if (spender === null) return undefined
  const given = candidates.find(
    (each) => each.token === token && each.amount === tokenId && !each.isOperator && (spender === undefined || each.spender === spender),
  )
  // A node that does not answer hides a right that a call is known to have given; of other tokens it hides nothing that is known.
  if (spender === undefined) return given && { ...given, may: 'unknown', tokenId }
  const { orderId = null, txid = null } = given ?? {}
  return { subWallet, network, owner, token, spender, via: token, isOperator: false, amount: tokenId, orderId, txid, may: 1n, tokenId }
}

/** Undefined if a node does not answer, or the token says nothing of the kind. */
async function told<T>(answer: Promise<T | undefined> | undefined): Promise<T | undefined> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/** The listed asset that a right is over, a coin, one token or a whole collection, and how much of it there is. */
function rightOf({ subWallet, network, token, tokenId, may }: Standing, holdings: readonly Holding[]): { asset: NetworkAsset | undefined; right: Right } {
  const own = holdings.filter((each) => each.subWalletId === subWallet.sub_wallet_id && each.chain === network.chain)
  const sumOf = (is: (contract: string) => boolean) => own.reduce((sum, { contract, amount }) => (is(contract) ? sum + amount : sum), 0n)
  const keyOf = (contract: string | null) => `${subWallet.sub_wallet_id}|${priceKey({ chain: network.chain, contract })}`
  const single = tokenId === null ? undefined : nftAsset({ standard: 'erc721', collection: token, tokenId })
  const asset = assetByContract(network, single ?? token)
  if (asset) return { asset, right: { key: keyOf(asset.contract), held: sumOf((contract) => contract === (asset.contract ?? '')), may } }
  const collection = network.collections?.find(({ contract }) => contract === `erc721:${token}` || contract === `erc1155:${token}`)
  const pieces = collection && sumOf((contract) => contract.startsWith(`${collection.contract}/`))
  return { asset: collection, right: { key: keyOf(single ?? token), held: pieces, may } }
}

function worthOf(asset: NetworkAsset | undefined, amount: bigint | undefined, prices: ReadonlyMap<string, Quote>): bigint | undefined {
  if (amount === 0n) return 0n
  const quote = asset && prices.get(priceKey(asset))
  return quote && amount !== undefined ? worthAt(amount, asset.decimals, quote.price) : undefined
}

function viewOf(standing: Standing, asset: NetworkAsset | undefined, right: Right, prices: ReadonlyMap<string, Quote>) {
  const { subWallet, network, owner, token, spender, via, orderId, txid, may, tokenId } = standing
  const shown = (sum: bigint) => (asset ? formatAmount(sum, asset.decimals) : String(sum))
  const risk = atRisk(right)
  const worth = worthOf(asset, risk, prices)
  const row = {
    sub_wallet_id: subWallet.sub_wallet_id,
    wallet_name: subWallet.wallet_name,
    sub_wallet_name: subWallet.sub_wallet_name,
    chain: network.chain,
    network: network.name,
    coin: network.assets.find((each) => each.contract === null)?.symbol ?? '',
    symbol: asset ? nameOfAsset(asset) : '',
    contract_address: token,
    token_id: tokenId === null ? null : String(tokenId),
    address: owner,
    spender,
    of_batches: spender === PAYOUTS,
    allowance: typeof may === 'bigint' ? shown(may) : null,
    unlimited: may === 'everything' || (typeof may === 'bigint' && may >= ANY_SUPPLY),
    at_risk: risk === undefined ? null : shown(risk),
    usd: worth === undefined ? null : formatWorth(worth),
    status: may === 'unknown' ? ('unknown' as const) : ('open' as const),
    order_id: orderId,
    txid,
    revoke: via === token ? revocationOf(spender, may === 'everything', tokenId) : null,
  }
  return { row, worth }
}

/** The most at risk first. What is not known can be much, so it stands before what is nothing; and what has no bound before what has one. */
function byRisk(a: ReturnType<typeof viewOf>, b: ReturnType<typeof viewOf>): number {
  const rank = ({ worth }: typeof a) => (worth === undefined ? 1 : worth > 0n ? 0 : 2)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a.worth !== undefined && b.worth !== undefined && a.worth !== b.worth) return a.worth > b.worth ? -1 : 1
  return Number(b.row.unlimited) - Number(a.row.unlimited)
}

/** The call that ends a right: none of a token any more, nobody for a single one, or none of a collection. */
function revocationOf(spender: string, isOperator: boolean, tokenId: bigint | null): { function: string; input_data: string } {
  const signature = isOperator ? APPROVE_ALL : APPROVE
  const args = isOperator ? [spender, false] : tokenId === null ? [spender, 0n] : [NOBODY, tokenId]
  return { function: signature, input_data: `0x${toHex(encodeFunctionCall(parseSignature(signature), args))}` }
}
