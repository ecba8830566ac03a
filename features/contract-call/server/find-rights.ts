import { readCollection, readNft } from '@holdfast/chain-core'
import { type Grant, readCall } from '@holdfast/chain-evm/codec'
import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { assetByContract, type Network } from '@holdfast/features/network/server'
import { CALL_KINDS } from '@holdfast/features/transfer/server'
import { intentShape } from '@holdfast/intent'
import { known, type OrderId, type SubWalletId } from '@holdfast/units'

export type SubWallet = { sub_wallet_id: SubWalletId; wallet_name: string; sub_wallet_name: string }

/**
 * A right that may stand, as a call gave it or as it was used: `via` is the contract that was called for it, or the token itself where somebody took tokens
 * under one. `amount` is what a call allowed; of ERC-721, whose functions have the same names, it is the number of a token.
 */
export type Candidate = {
  subWallet: SubWallet
  network: Network
  owner: string
  token: string
  spender: string
  via: string
  isOperator: boolean
  amount: bigint
  orderId: OrderId | null
  txid: string | null
}

/** A token of a collection of ERC-721 that a sub-wallet holds: somebody may have been let take it. */
export type HeldToken = { subWallet: SubWallet; network: Network; owner: string; collection: string; tokenId: bigint }

/** What a sub-wallet has of an asset by the ledger, in base units or pieces; `contract` is empty for a network's own coin. */
export type Holding = { subWalletId: SubWalletId; chain: string; contract: string; amount: bigint }

type Networks = ServerContext['networks']

/** Where rights over the tokens of sub-wallets may stand: their own calls alone give one, and who took something had one. The newest first, each once. */
export async function findCandidates(tx: OrganisationTx, networks: Networks, subWallets: readonly SubWallet[]): Promise<Candidate[]> {
  const found = [...(await fromCalls(tx, networks, subWallets)), ...(await fromAllowanceSpends(tx, networks, subWallets))]
  // Of a coin one question tells all; what is no coin here may be a collection, whose tokens have rights each of their own.
  return firstOfEach(found, (each) => `${rightKey(each)}|${assetByContract(each.network, each.token) ? '' : each.amount}`)
}

/** Names a right, but for the token that it may be over. */
export function rightKey({ network, owner, token, spender, via, isOperator }: Candidate): string {
  return [network.chain, owner, token, spender, via, isOperator].join('|')
}

/** Those of a list that are the first with their key. */
export function firstOfEach<T>(list: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(list.toReversed().map((item) => [keyOf(item), item])).values()].toReversed()
}

/** Whether a contract is a collection of ERC-721 that the network lists. */
export function isCollection({ collections = [] }: Network, token: string): boolean {
  return collections.some((each) => each.contract === `erc721:${token}`)
}

/** What sub-wallets have by the ledger, available or held for an order. */
export async function holdingsOf(tx: OrganisationTx, subWallets: readonly SubWallet[]): Promise<Holding[]> {
  const rows = await tx
    .selectFrom('ledger_account')
    .select(['sub_wallet_id', 'chain', 'contract', (row) => row.fn.sum<bigint>('balance').as('amount')])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', 'in', idsOf(subWallets))
    .where('kind', 'in', ['available', 'held'])
    .groupBy(['sub_wallet_id', 'chain', 'contract'])
    .execute()
  return rows.map(({ sub_wallet_id: id, ...row }) => ({ ...row, subWalletId: known(id, `the sub-wallet that holds ${row.contract} on ${row.chain}`) }))
}

/** The tokens of listed collections of ERC-721 among what sub-wallets hold, each at its address on the network. */
export async function heldTokens(tx: OrganisationTx, networks: Networks, subWallets: readonly SubWallet[], holdings: readonly Holding[]): Promise<HeldToken[]> {
  const addresses = await tx
    .selectFrom('address')
    .select(['chain', 'address', 'sub_wallet_id'])
    .where('org_id', '=', tx.orgId)
    .where('number', '=', 0)
    .where('sub_wallet_id', 'in', idsOf(subWallets))
    .execute()
  return holdings.flatMap(({ subWalletId, chain, contract, amount }) => {
    const [network, nft, subWallet] = [networks.find(chain), readNft(contract), subWallets.find(({ sub_wallet_id: id }) => id === subWalletId)]
    if (amount === 0n || nft?.standard !== 'erc721' || !subWallet || !network?.node.contracts || !isCollection(network, nft.collection)) return []
    const owner = addresses.find((each) => each.chain === chain && each.sub_wallet_id === subWalletId)
    return owner ? [{ subWallet, network, owner: owner.address, collection: nft.collection, tokenId: nft.tokenId }] : []
  })
}

const subWalletOf = (subWallets: readonly SubWallet[], id: string): SubWallet =>
  known(
    subWallets.find((each) => each.sub_wallet_id === id),
    `the sub-wallet ${id}`,
  )
const idsOf = (subWallets: readonly SubWallet[]) => subWallets.map(({ sub_wallet_id: id }) => id)

/** The rights that calls gave which signers were asked for, the newest first. */
async function fromCalls(tx: OrganisationTx, networks: Networks, subWallets: readonly SubWallet[]): Promise<Candidate[]> {
  const rows = await tx
    .selectFrom('transfer_order')
    .select(['id', 'chain', 'sub_wallet_id', 'address_from', 'intent', 'txid'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', 'in', idsOf(subWallets))
    .where('kind', 'in', CALL_KINDS)
    .where('slot', 'is not', null)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.flatMap(({ id, chain, sub_wallet_id, address_from: owner, intent: bytes, txid }) => {
    const [network, intent, subWallet] = [networks.find(chain), decode(intentShape, bytes), subWalletOf(subWallets, sub_wallet_id)]
    if (!network?.node.contracts || intent.kind !== 'contractCall') return []
    const { grants } = readCall({ contract: intent.to, data: intent.data, signature: intent.signature })
    return grants.map((grant: Grant) => ({
      subWallet,
      network,
      owner,
      token: grant.token,
      spender: grant.spender,
      via: intent.to,
      isOperator: grant.kind === 'operator',
      amount: grant.kind === 'operator' ? 0n : grant.amount,
      orderId: id,
      txid,
    }))
  })
}

/** Whoever took tokens has had a right to some. */
async function fromAllowanceSpends(tx: OrganisationTx, networks: Networks, subWallets: readonly SubWallet[]): Promise<Candidate[]> {
  const rows = await tx
    .selectFrom('token_pull')
    .select(['chain', 'sub_wallet_id', 'address', 'contract', 'taken_by', 'txid'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', 'in', idsOf(subWallets))
    .where('reversed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.flatMap(({ chain, sub_wallet_id, address: owner, contract, taken_by: spender, txid }) => {
    const [network, subWallet] = [networks.find(chain), subWalletOf(subWallets, sub_wallet_id)]
    if (!network?.node.contracts) return []
    // A right over a single token ends when that is taken; who may still take something of the collection may take all of it.
    const collection = readCollection(contract)?.collection
    const token = collection ?? contract
    return [{ subWallet, network, owner, token, spender, via: token, isOperator: collection !== undefined, amount: 0n, orderId: null, txid }]
  })
}
