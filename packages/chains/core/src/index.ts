import type { AccountControl } from './account-control.ts'
import type { AccountResources, StakeOrder } from './resources.ts'

/** The name of a chain by CAIP-2, such as `eip155:1`. */
export type ChainId = string

/** An asset on a chain: the chain's own coin, the token contract in the chain's canonical text form, or a token of a collection (`nftAsset`). */
export type AssetRef = { chain: ChainId; contract: string | null }

/**
 * By what a chain makes two transactions exclude each other, so that an order is never paid twice:
 *
 * - `account-nonce`: the paying address has a counter, and each number is used once (EVM). The slot is the nonce.
 * - `wallet-seqno`: the same, counted by a wallet contract, and the bytes end with `validUntilMs` besides (TON). The slot is the seqno.
 * - `anchor-input`: one coin that every replacement spends as well (Bitcoin). The slot is `slotOf` that coin.
 * - `expiry`: the chain takes the same bytes once and takes them never again after `validUntilMs` (TRON). The slot is `slotOf` the
 *   transaction's id: an order bound to it is bound to these very bytes, and another attempt begins when their time has passed.
 */
export type SlotRule = 'account-nonce' | 'wallet-seqno' | 'anchor-input' | 'expiry'

/** One movement of value, in base units. `memo` is what the chain carries along for the one who is paid. */
export type Transfer = { asset: AssetRef; to: string; amount: bigint; memo?: string }

/** A coin on a chain of coins (UTXO): the output of an earlier transaction, as `<txid>:<index>`. */
export type Coin = { outpoint: string; address: string; amount: bigint }

/**
 * Base units of a chain of coins up to which wallets put inscriptions on coins of their own: 330, 546 and 10,000 are the usual ones. A coin that is
 * no larger may carry one, for all that its amount says.
 */
export const POSTAGE_MAX = 10_000n

/** A coin that nothing has spent. `height` is that of the block it stands in, or null while it waits for one. */
export type UnspentCoin = Coin & { height: bigint | null }

/**
 * Coin that a transaction gives back, as its output `index`. `path` leads to its address from the key's own root and is one of `faultOfOwnPath`; absent, it is the
 * paying address.
 */
export type Change = { address: string; amount: bigint; index: number; path?: number[] }

/** A call of a contract, with `value` of the chain's own coin sent along, in base units. What the call does is for the contract to say. */
export type ContractCall = { contract: string; value: bigint; data: Uint8Array }

/** Bytes of call data that are read. */
export const CALL_DATA_MAX_BYTES = 1 << 15

/** What a transaction does besides moving value: its kind and its facts, under names of the family's own. */
export type Action = { kind: string; facts: Record<string, string | bigint> }

/**
 * What an unsigned transaction does, as people and policy see it. Nothing that it does may be missing here: what stands in a field
 * that a reader does not know of, that reader refuses.
 */
export type Effects = {
  chain: ChainId
  /** Whose order it is, where the bytes say so and not the signature alone. */
  from?: string
  /** Every movement of value the transaction orders to others, in base units. */
  transfers: Transfer[]
  /** The call it is, where it is no transfer; then it orders no transfers. */
  call?: ContractCall
  /** The order about stake it is, where it is no transfer; then it orders no transfers. */
  stake?: StakeOrder
  /** The authorization it is, where the bytes are no transaction (EIP-7702): whose code runs in the name of the account from then on, null if nobody's does. */
  authorizes?: { delegate: string | null }
  /** The inscription that it makes on the way, by its id, where it sends a token that is inscribed for it; only an order for that covers it. */
  inscribes?: string
  /** Where it is an order to the payer's own wallet of a token: from what that wallet's address follows, as policies pin it (`tokenWalletsAsset`). */
  tokenWallets?: string
  /** The contract that makes the transfers, where a contract of ours makes several of one transaction. */
  through?: string
  /** Everything else that it does. */
  actions?: Action[]
  /** The coins it spends, where the chain has coins, the anchor first; what they hold is the sum of transfers, change and fee. */
  inputs?: Coin[]
  /** What goes back. It counts as change only for somebody who has derived the address anew. */
  change?: Change[]
  /** The most that can be paid as fee, in base units of the chain's own coin. */
  feeMax: bigint
  /** How the fee is offered, in the terms of the chain and under the names of `FeeTier.parameters`. */
  feeParameters?: Record<string, bigint>
  /** Where on the chain this transaction excludes every other one, by the codec's `slotRule`. Fits 256 bits. */
  slot: bigint
  /** Once a block's time is at or after this, no later block takes the transaction; absent if it never ends by itself. */
  validUntilMs?: bigint
}

/**
 * The kinds of signature a chain takes: ECDSA over secp256k1, BIP340 under a taproot output key, ed25519. Which of them an address asks for follows from
 * the key that it was made from.
 */
export type SignatureKind = 'ecdsa' | 'taproot' | 'ed25519'

/** The most signatures that one transaction may need: signers make no more in one session. */
export const SIGNATURES_MAX = 64

export type Signature = { r: Uint8Array; s: Uint8Array; recovery: number }

/** The pure half of a chain: bytes, addresses, hashes. Runs in signers, server, pages and tools alike. */
export type ChainCodec = {
  signatureKinds: readonly SignatureKind[]
  slotRule: SlotRule
  /** The longest memo that a transfer carries for the one who is paid, in bytes of UTF-8; absent if the chain carries none. */
  memoMax?: number
  /** A link by which wallets fill in a payment to an address with a comment; absent if the chain has no such form. */
  paymentLink?(to: string, payment: { contract: string | null; memo: string }): string
  /** The canonical text of an address, or undefined if the text is no address of this chain. */
  canonicalAddress(text: string): string | undefined
  /** The least of the chain's own coin that nodes pass on to an address, in base units; absent if any amount is. Throws ChainError for what is no address. */
  leastPayment?(address: string): bigint
  /** Whether one transaction of the paying address itself can pay several in an asset (`null` is the chain's own coin); absent if it pays one in any. */
  paysSeveral?(contract: string | null): boolean
  /** The address of a public key, as signatures are verified under it, in canonical text. Throws ChainError for keys of kinds the chain does not take. */
  addressFromKey(publicKey: Uint8Array): string
  /**
   * Whether a signature, as wallets give it in text, is one of an address over a message of a person, which can never be a transaction. Absent where the
   * address alone does not say whose key it is.
   */
  isSignedBy?(address: string, message: string, signature: string): boolean
  /** Decodes an unsigned transaction whole. Throws ChainError for anything not canonical or not understood. */
  decode(unsigned: Uint8Array): Effects
  /** What is signed, computed from the bytes: one for each signature the transaction needs, at most SIGNATURES_MAX, all by the paying address's key. */
  sighashes(unsigned: Uint8Array): Uint8Array[]
  /**
   * Puts signatures on, in the order of `sighashes`: the signed form and the transaction's id. The signed form holds all that
   * `detach` needs without asking anybody: mostly the very bytes that are broadcast; for Bitcoin, whose bytes do not say what their
   * inputs hold, the finished PSBT, from which the node takes them.
   */
  attach(unsigned: Uint8Array, signatures: Signature[]): { raw: Uint8Array; txid: string }
  /** Decodes a signed transaction: the unsigned bytes it was made from, its id and the address that signed. */
  detach(raw: Uint8Array): { unsigned: Uint8Array; txid: string; from: string }
}

/**
 * `from` is empty if the chain names no payer. `index` is unique within the transaction and the same in whichever block it ends up. `memo`
 * is what the payer wrote for the one who is paid, where the chain carries it: text of a stranger.
 */
export type BlockTransfer = {
  txid: string
  index: number
  asset: AssetRef
  from: string
  to: string
  amount: bigint
  memo?: string
  /** Coin that a contract moved inside the transaction. */
  inside?: true
  /** Who moved it, where the transaction is not that of the one it was taken from: a token that somebody was allowed to take. */
  takenBy?: string
}
/** A log of a watched token in a form of its own; `contract` is the token's asset text. */
export type OddLog = { contract: string; txid: string; index: number }

/** A transaction of a chain of coins: what it spends and by which witnesses, and what it makes. `address` is undefined for scripts that have none. */
export type CoinTransaction = {
  txid: string
  isCoinbase: boolean
  inputs: { outpoint: string; spent: { amount: bigint; address: string | undefined }; witness: Uint8Array[] }[]
  outputs: { amount: bigint; address: string | undefined }[]
}

export type Block = {
  height: bigint
  hash: string
  parentHash: string
  timestampMs: number
  transfers: BlockTransfer[]
  /** What the chain took of accounts besides the fees of their own orders, in its own coin, where it does: for storage, for taking payments in. */
  charges?: { address: string; amount: bigint }[]
  /** Transfers that contracts nobody asked about claim, as far as they have the usual form. Never money: such a contract says what it likes. */
  unknownTransfers?: BlockTransfer[]
  /** Logs of watched tokens that bear the name of a transfer and cannot be read as one. What they moved, if anything, is in no list above. */
  oddLogs?: OddLog[]
  /**
   * Whether `transfers` holds the coin that contracts moved inside transactions, on chains where they do. `unseen`: this source cannot show it for this block,
   * and the balances of addresses alone tell of it. `partly`: it holds what this source keeps of it, and nothing says whether that is all.
   */
  internalTransfers?: 'seen' | 'unseen' | 'partly'
  /** Where the chain has coins: all its transactions in their order, since what lies on single parts of a coin goes its way through them. */
  transactions?: CoinTransaction[]
}

/** A payment that waits for a block: whom it pays, as a block would tell it, and the coins it spends. It can still be replaced, or be forgotten. */
export type PendingPayment = { txid: string; spends: string[]; transfers: BlockTransfer[] }

/** What a reader knows of a pool: what it held at the last look, and what of it was read. */
export type PoolMemory = { listed: ReadonlySet<string>; read: ReadonlySet<string> }

/**
 * What waits for a block. `txids` is all that the node has in its pool, `looked` what of it was read now, a part at a time where there is much, and `payments`
 * what of that pays a wanted address.
 */
export type PendingPool = { txids: ReadonlySet<string>; looked: readonly string[]; payments: PendingPayment[] }

/** The fee and size, in base units and vbytes, of what waits with all that it waits for. */
export type PendingFee = { fee: bigint; size: bigint }

export type TransactionState =
  | { state: 'unknown' }
  | { state: 'pending' }
  | {
      state: 'included'
      height: bigint
      blockHash: string
      success: boolean
      fee: bigint
      /** Every block in which something arrived of what it ordered, where that can be several; the last of them is that of `height`. */
      arrivals?: { height: bigint; blockHash: string }[]
      /** The part of `fee` that the chain took besides what the bytes offer, and that they do not bound: a rollup's for the chain underneath. */
      surcharge?: bigint
      /** Coin that came back into the balance out of stake, where the chain has stake and it did. */
      unstaked?: bigint
      /** What a call used, where the chain gives resources for stake: units of energy, those of them that nobody paid for, and coin burned for the others. */
      energy?: { used: bigint; covered: bigint; burned: bigint }
    }

/** What a person may pay for a place in a block, the lowest first. */
export const FEE_TIERS = ['economy', 'normal', 'fast'] as const
export type FeeTierIndex = 0 | 1 | 2

/**
 * What ended a slot, and the block that shows it. Mostly a transaction: `raw` is its signed form where the chain's codec can read
 * it, and null if it cannot, so that the transaction is none that was made by that codec. `txid` null: no transaction has used it,
 * and none can any more, since the time of the bytes had passed in this block.
 */
export type SlotUse = { txid: string | null; height: bigint; blockHash: string; raw: Uint8Array | null }

export type FeeTier = { feeMax: bigint; parameters: Record<string, bigint> }

/** Who pays whom how much. */
type OrderedTransfer = { from: string; to: string; asset: AssetRef; amount: bigint }

/** What each kind of order asks for beyond that. */
type Beyond = {
  memo: string
  /** Where one order pays several, by the chain itself or by a contract of ours: all of them in their order, `to` the first and `amount` their sum; each may have a memo of its own
   * where the chain carries them. */
  payments: readonly { to: string; amount: bigint; memo?: string }[]
  /** Call data, where `to` is a contract that is called and `amount` is the chain's own coin that goes along, which may be none. */
  data: Uint8Array
  /** What is ordered about the stake of `from`, where it is no transfer; `to` is then `from`, or who is delegated to. */
  stake: StakeOrder
  /** What code the account of `from` authorizes to run in its name, null to end that: bytes that are no transaction, and that another one carries (EIP-7702). */
  authorizes: { delegate: string | null }
  /** Where `asset` is a token of BRC-20: what the coins hold that carry transfers of it, the first of `coins` in this order; each goes along with its token. */
  postages: readonly bigint[]
  /** Where `asset` is a token of BRC-20 that is to be inscribed first: what the coin shall hold that goes along with the new inscription. */
  inscribes: bigint
  /**
   * Where the chain has coins: one that waits for a block and is given back to the paying address whole but for a fee that lifts it (CPFP), as
   * `<txid>:<index>`.
   */
  cpfpFor: string
}

/** An order asks for one of these, or for none of them. */
export type AskedBeyond = { [Kind in keyof Beyond]: { [Other in keyof Beyond]?: Other extends Kind ? Beyond[Other] : undefined } }[keyof Beyond]

/** Where the chain has coins, which of them are spent. */
type ChosenCoins = {
  /** Those that may not be spent, because they are locked or another order has them. */
  lockedOutpoints?: readonly string[]
  /** Those that are spent in any case and in this order, before others; where `to` is the paying address itself, no others. */
  coins?: readonly string[]
}

/** The fee for the place on the chain. */
type OrderedFee = {
  feeCap: bigint
  /**
   * The slot to take, where the chain counts them (`account-nonce`, `wallet-seqno`). Elsewhere the prepared bytes say which they take, and
   * this is a number of the order's own, by which orders that are alike do not become the same bytes.
   */
  slot: bigint
  tier: FeeTierIndex
  /** Unsigned bytes that these are to replace, in the same slot and for a higher fee. */
  replaces?: Uint8Array
  /**
   * What `estimateFee` has just said of this order, so that the node is not asked again. For bytes that are tried and thrown away: those that are signed are made at
   * the fees of that moment.
   */
  quoted?: readonly [FeeTier, FeeTier, FeeTier]
}

/** Where accounts delegate in the same transaction (EIP-7702): what they signed, as `attach` made it, which goes along with a call. */
type Carrying = { authorizations?: readonly Uint8Array[] }

export type TransferOrder = OrderedTransfer & AskedBeyond & ChosenCoins & Carrying & OrderedFee

/** What takes the slot of unsigned bytes that wait and pays nobody. */
export type CancelOrder = Pick<TransferOrder, 'from' | 'feeCap' | 'tier'> & { replaces: Uint8Array }

/**
 * What tells that balances of a token are not the sum of its logs: functions of tokens whose balances change by themselves, or that keep a fee of each
 * transfer, and how many of the holders of the newest transfers that were compared have another amount than those say.
 */
export type TokenSigns = { functions: { kind: 'rebase' | 'fee'; name: string }[]; compared: number; differing: number }

/**
 * What a node says a call would do if a block took it now: why it would fail, or how what the caller has would change; null if the node cannot tell. Other
 * transactions may come first, and the node may lie.
 */
export type Simulation = { fails: string } | { fails: null; changes: { asset: AssetRef; delta: bigint }[] | null }

/** What a node answers besides if the chain has coins (UTXO). */
export type CoinNode = {
  /** The coins of an address. */
  unspent(address: string): Promise<UnspentCoin[]>
  /** What waits for a block and pays an address that `wanted` picks. What was read before is not read again. Nothing of it is money before a block has it. */
  pending(memory: PoolMemory, wanted: (addresses: readonly string[]) => Promise<ReadonlySet<string>>): Promise<PendingPool>
  /** The pending transaction that spends one of these coins, where the node can tell. */
  pendingSpender(outpoints: readonly string[]): Promise<string | undefined>
  /** What a pending transaction pays, undefined if it does not wait. */
  pendingFee(txid: string): Promise<PendingFee | undefined>
}

/** What a node answers besides if the chain has contracts that are called, and tokens that can be looked at and taken in while it is read. */
export type ContractNode = {
  /** What a call would do. */
  simulateCall(from: string, call: ContractCall): Promise<Simulation>
  /** What the contract of a token or a collection says of itself: a stranger's words. Undefined if it says nothing of the kind. */
  describeToken(contract: string): Promise<{ symbol: string; decimals: number; name?: string } | undefined>
  /** What tells that balances of a token are not the sum of its logs. That nothing is found proves nothing. */
  tokenSigns(contract: string): Promise<TokenSigns>
  /** How much of an owner's token somebody may still take, undefined unless the token has allowances in the usual form. */
  allowance(owner: string, spender: string, token: string): Promise<bigint | undefined>
  /** Whether somebody may take everything that an owner has of a collection, undefined unless its contract tells it in the usual form. */
  isOperator(owner: string, operator: string, collection: string): Promise<boolean | undefined>
  /** Who may take one token of a collection (ERC-721), null for nobody, undefined unless its contract tells it in the usual form. */
  approvedFor(collection: string, tokenId: bigint): Promise<string | null | undefined>
  /** Whose code runs in the name of an account, null if nobody's. Absent where none can (EIP-7702). Throws ChainError for one with code of its own. */
  delegateOf?(account: string): Promise<string | null>
  /**
   * Has the transfers of a further token read from the next block on. Whoever asked for the token does not answer for it: what it logs in another form than the
   * usual one is passed over.
   */
  watch(contract: string): void
}

/** What a node answers besides if an account can stake coin for what transactions use up. */
export type StakeNode = {
  /** Coin of an address that is no part of its balance because it is staked, at the end of a block or now. */
  staked(address: string, height?: bigint): Promise<bigint>
  /** What an account has of what transactions use up. */
  resources(address: string): Promise<AccountResources>
  /** What is burned for a unit of energy that an account does not have, in base units of coin. */
  energyPrice(): Promise<bigint>
}

/**
 * The network half of a chain: everything read from it is a claim until two sources agree. What a chain does not have is absent, and features ask for its
 * presence: `coins`, `contracts` and `stake` each as a whole, the rest one by one.
 */
export type ChainNode = {
  chain: ChainId
  head(): Promise<{ height: bigint; hash: string }>
  /** The last block that the chain itself calls final, where it does; elsewhere finality is a number of blocks. */
  finalHead?(): Promise<{ height: bigint; hash: string }>
  /** The hash of a block, or undefined above the head. */
  blockHash(height: bigint): Promise<string | undefined>
  /** A block with every transfer of the chain's own coin and of the given tokens, or undefined above the head. */
  readBlock(height: bigint): Promise<Block | undefined>
  /** Fee estimates for the order: economy, normal, fast. */
  estimateFee(order: Omit<TransferOrder, 'feeCap' | 'slot' | 'tier'>): Promise<[FeeTier, FeeTier, FeeTier]>
  /** The next slot the chain expects from an address, counting what its pool holds. 0 if the chain does not count slots. */
  nextSlot(address: string): Promise<bigint>
  /**
   * What ended the slot of unsigned bytes of an address in a block up to `height`, or undefined if it is still open at the end of that
   * block. Throws ChainError if the node cannot show it: that nobody has seen a transaction proves nothing.
   */
  slotUse(address: string, unsigned: Uint8Array, height: bigint): Promise<SlotUse | undefined>
  /** The unsigned transaction for an order. Throws ChainError if the fee cap cannot be met. */
  prepare(order: TransferOrder): Promise<Uint8Array>
  /** Unsigned bytes that give everything back to the paying address but the fee. Absent if what waits cannot be replaced. Throws ChainError as `prepare`. */
  prepareCancel?(order: CancelOrder): Promise<Uint8Array>
  /** Sends the signed form. Anything but a clear acceptance is `unknown`, never a failure. */
  broadcast(raw: Uint8Array): Promise<{ outcome: 'accepted' } | { outcome: 'unknown'; reason: string }>
  /** Where a transaction stands. `sinceMs`: it was made no earlier, so that chains on which it is searched for need not look further back. */
  transaction(txid: string, sinceMs?: bigint): Promise<TransactionState>
  /** True if nodes of the chain keep no balances of the past: then `balance` at a height answers for the head alone, and throws ChainError for others. */
  balancesOfHeadAlone?: true
  /** What an address has, at the end of a block or now. */
  balance(address: string, asset: AssetRef, height?: bigint): Promise<bigint>
  isContract(address: string): Promise<boolean>
  /** Whether an address was never used, so that a slip of the pen is likelier, where the chain can tell. */
  isUninitialised?(address: string): Promise<boolean>
  /** From what the holders' own wallets of a token follow, where they have such (`tokenWalletsAsset`). Throws ChainError if they are of no known form. */
  tokenWallets?(contract: string): Promise<string>
  /** Who may sign for an account now, where the chain lets an account say that. */
  control?(address: string): Promise<AccountControl>
  coins?: CoinNode
  contracts?: ContractNode
  stake?: StakeNode
}

export type { AccountControl, Permission } from './account-control.ts'
export { base58Of, bytesOfBase58 } from './base58.ts'
export { BRC20_DECIMALS, brc20Asset, readBrc20Asset } from './brc20.ts'
export { createChainCheck } from './chain-check.ts'
export { type BuildObstacle, BuildError, ChainError } from './chain-error.ts'
export { array, claimText, malformed, record } from './claims.ts'
export { deadAddress, type DeadAddress } from './dead-addresses.ts'
export { fetchWhole, type NodeLimits, nodeUrl, shorten, type WholeAnswer } from './fetch-whole.ts'
export { collectionAsset, type Nft, nftAsset, type NftStandard, pinnedContract, readCollection, readNft } from './nft.ts'
export {
  type AccountResources,
  type Delegation,
  leftOf,
  type Meter,
  type Resource,
  RESOURCES,
  STAKE_ACTIONS,
  type Stake,
  type StakeAction,
  type StakeOrder,
} from './resources.ts'
export { ADDRESSES_MAX, addressesMaxOf, faultOfOwnPath, isChangePathOf, pathText, SUB_WALLETS_MAX } from './own-paths.ts'
export { slotOf } from './slot-of.ts'
export { readTokenWallets, type TokenWallets, tokenWalletsAsset } from './token-wallets.ts'
export { alikeKeys, CONSTANT_START, endOf, looksAlike, startOf } from './looks-alike.ts'
