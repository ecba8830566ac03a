import { type Block, type BlockTransfer, ChainError, type ChainNode, type SlotUse, type TransactionState } from '@holdfast/chain-core'
import { buildTransfer, evmCodec } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'

type Sent = { txid: string; raw: Uint8Array; from: string; slot: bigint; fee: bigint; success: boolean }
type Mined = Block & { sent: Sent[] }
type Gift = { txid: string; to: string; amount: bigint; contract: string | null; from: string }

export const CHAIN = 'eip155:31337'
export const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const STRANGER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FEE_PRICE = 10n
const GAS = 21_000n
/** What a mined payment costs on this chain. */
export const REAL_FEE = GAS * FEE_PRICE

/** A chain in memory that a test turns as it likes: blocks, a pool, reorganisations, and answers that get lost. */
export class ScriptedChain {
  readonly codec = evmCodec({ chain: CHAIN })
  readonly broadcasts: string[] = []
  #blocks: Mined[]
  #pool: Sent[] = []
  #gifts: Gift[] = []
  #serial = 0
  /** What `broadcast` does: takes the bytes and says so, takes them and answers nothing, or loses them. */
  broadcastMode: 'accept' | 'silent' | 'lose' = 'accept'
  /** Transactions mined from now on fail on the chain. */
  failing = false
  /** Tokens mined from now on say success and move nothing. */
  lyingToken = false
  /** What tokens keep of each transfer. */
  tokenFee = 0n
  /** What left an address without any transfer that a block tells of. */
  readonly stolen = new Map<string, bigint>()
  /** Which of two transactions in one slot a block takes, as an order between them. */
  picks = bestPaid
  /** Called before every question, to break it. */
  beforeAnswer: (question: string) => void = () => {}

  constructor() {
    this.#blocks = [{ height: 0n, hash: this.#newHash(), parentHash: this.#newHash(), timestampMs: 0, transfers: [], sent: [] }]
  }

  #newHash(): string {
    return `0x${toHex(sha256(new TextEncoder().encode(`block or transaction ${this.#serial++}`)))}`
  }

  get tip(): Block {
    return this.#blocks.at(-1)!
  }

  get blocks(): readonly Mined[] {
    return this.#blocks
  }

  /** A payment from outside, in the next block. Returns its id. */
  give(to: string, amount: bigint, contract: string | null = null, from = STRANGER): string {
    const txid = this.#newHash()
    this.#gifts.push({ txid, to, amount, contract, from })
    return txid
  }

  /** Mines a block with all gifts and every transaction of the pool whose turn it is; of several in one slot the one that pays the highest fee, or as `picks` says. */
  mine(count = 1): Block {
    for (let i = 0; i < count; i++) {
      const sent: Sent[] = []
      for (const each of this.#pool.toSorted((a, b) => (a.slot === b.slot ? this.picks(a, b) : a.slot < b.slot ? -1 : 1))) {
        if (each.slot === this.#nonceOf(each.from) + BigInt(sent.filter((other) => other.from === each.from).length))
          sent.push({ ...each, success: !this.failing })
      }
      this.#pool = this.#pool.filter((each) => !sent.some((mined) => mined.from === each.from && mined.slot === each.slot))
      const transfers = [...this.#gifts.splice(0).map(giftTransfer), ...sent.flatMap((each) => this.#transfersOf(each))]
      this.#blocks.push({
        height: BigInt(this.#blocks.length),
        hash: this.#newHash(),
        parentHash: this.tip.hash,
        timestampMs: this.#blocks.length,
        transfers,
        sent,
      })
    }
    return this.tip
  }

  /** Gives up the newest `depth` blocks. Their transactions go back to the pool, their gifts too unless they are dropped. */
  reorganise(depth: number, options: { dropGifts?: boolean; dropSent?: boolean } = {}): void {
    const gone = this.#blocks.splice(this.#blocks.length - depth)
    for (const block of gone) {
      if (!options.dropSent) this.#pool.push(...block.sent)
      if (!options.dropGifts)
        this.#gifts.push(
          ...block.transfers
            .filter((each) => !block.sent.some((sent) => sent.txid === each.txid))
            .map(({ txid, to, amount, asset, from }) => ({ txid, to, amount, contract: asset.contract, from })),
        )
    }
  }

  /** Puts blocks that were given up back, as a chain does that changes its mind twice. */
  replaceFrom(blocks: readonly Block[]): void {
    const [first] = blocks
    this.#blocks = [...this.#blocks.slice(0, Number(first!.height)), ...(blocks as Mined[])]
  }

  /** Uses an address's next slot by a transaction nobody here knows of. */
  useSlotElsewhere(from: string): void {
    const slot = this.#nonceOf(from)
    this.#pool = this.#pool.filter((each) => each.from !== from || each.slot !== slot)
    this.#pool.push({ txid: this.#newHash(), raw: new Uint8Array(), from, slot, fee: 0n, success: true })
  }

  /** Forgets every trick, and what it was sent. */
  resetScript(): void {
    Object.assign(this, { picks: bestPaid, broadcastMode: 'accept', failing: false, lyingToken: false, tokenFee: 0n, beforeAnswer: () => {} })
    this.broadcasts.length = 0
    this.stolen.clear()
    this.#pool = []
  }

  /** Puts signed bytes into the pool that somebody else got hold of. */
  leak(raw: Uint8Array): string {
    const { txid, from, unsigned } = this.codec.detach(raw)
    this.#pool.push({ txid, raw, from, ...this.#feeOf(unsigned), success: true })
    return txid
  }

  dropPool(): void {
    this.#pool = []
  }

  get pool(): readonly string[] {
    return this.#pool.map((each) => each.txid)
  }

  #nonceOf(address: string, height = this.tip.height): bigint {
    return BigInt(
      this.#blocks
        .filter((block) => block.height <= height)
        .flatMap((block) => block.sent)
        .filter((each) => each.from === address).length,
    )
  }

  #slotUse(address: string, slot: bigint, height: bigint): SlotUse | undefined {
    for (const block of this.#blocks.filter((each) => each.height <= height)) {
      const sent = block.sent.find((each) => each.from === address && each.slot === slot)
      if (sent) return { txid: sent.txid, height: block.height, blockHash: block.hash, raw: sent.raw.length === 0 ? null : sent.raw }
    }
    return undefined
  }

  /** What an address has by the blocks up to a height, and whatever was taken from it behind their back. */
  #balance(address: string, contract: string | null, height = this.tip.height): bigint {
    const blocks = this.#blocks.filter((each) => each.height <= height)
    const moved = blocks.flatMap((each) => each.transfers).filter((each) => each.asset.contract === contract)
    const sum = (list: BlockTransfer[]) => list.reduce((total, each) => total + each.amount, 0n)
    const own = contract === null ? blocks.flatMap((each) => each.sent).filter((each) => each.from === address) : []
    const fees = own.reduce((total, each) => total + each.fee, 0n)
    const stolen = this.stolen.get(`${address}|${contract ?? ''}`) ?? 0n
    return sum(moved.filter((each) => each.to === address)) - sum(moved.filter((each) => each.from === address)) - fees - stolen
  }

  #transfersOf({ raw, from, txid, success }: Sent): BlockTransfer[] {
    if (!success || raw.length === 0) return []
    const [transfer] = this.codec.decode(this.codec.detach(raw).unsigned).transfers
    const { asset, to, amount } = transfer!
    if (asset.contract === null) return [{ txid, index: 0, asset, from, to, amount }]
    if (this.lyingToken) return []
    const kept = this.tokenFee === 0n ? [] : [{ txid, index: 2, asset, from, to: asset.contract, amount: this.tokenFee }]
    return [{ txid, index: 1, asset, from, to, amount: amount - this.tokenFee }, ...kept]
  }

  #find(txid: string): { block: Mined; sent: Sent } | undefined {
    for (const block of this.#blocks) {
      const sent = block.sent.find((each) => each.txid === txid)
      if (sent) return { block, sent }
    }
    return undefined
  }

  async #answer<T>(question: string, answer: () => T): Promise<T> {
    this.beforeAnswer(question)
    await Promise.resolve()
    return answer()
  }

  /** The chain as a node tells of it. */
  get node(): ChainNode {
    const tiers = [1n, 2n, 3n].map((factor) => ({ feeMax: GAS * FEE_PRICE * factor, parameters: {} }))
    return {
      chain: CHAIN,
      head: () => this.#answer('head', () => ({ height: this.tip.height, hash: this.tip.hash })),
      blockHash: (height) => this.#answer('blockHash', () => this.#blocks[Number(height)]?.hash),
      readBlock: (height) => this.#answer('readBlock', () => this.#blocks[Number(height)]),
      estimateFee: () => this.#answer('estimateFee', () => tiers as never),
      nextSlot: (address) => this.#answer('nextSlot', () => this.#nextSlot(address)),
      slotUse: (address, unsigned, height) => this.#answer('slotUse', () => this.#slotUse(address, this.codec.decode(unsigned).slot, height)),
      prepare: ({ asset, from, to, amount, slot, feeCap, replaces }) =>
        this.#answer('prepare', () => {
          const price = replaces ? ((this.codec.decode(replaces).feeMax / GAS) * 11n) / 10n + 1n : FEE_PRICE
          if (feeCap < GAS * price) throw new ChainError('the fee cap cannot be met')
          return buildTransfer({ asset, from, to, amount, nonce: slot, gasLimit: GAS, maxFeePerGas: price, maxPriorityFeePerGas: 1n })
        }),
      prepareCancel: ({ from, replaces, feeCap }) =>
        this.#answer('prepare', () => {
          const { slot, feeMax } = this.codec.decode(replaces)
          const price = ((feeMax / GAS) * 11n) / 10n + 1n
          if (feeCap < GAS * price) throw new ChainError('the fee cap cannot be met')
          const toItself = { asset: { chain: CHAIN, contract: null }, from, to: from, amount: 1n }
          return buildTransfer({ ...toItself, nonce: slot, gasLimit: GAS, maxFeePerGas: price, maxPriorityFeePerGas: 1n })
        }),
      broadcast: (raw) => this.#answer('broadcast', () => this.#take(raw)),
      transaction: (txid) => this.#answer('transaction', () => this.#stateOf(txid)),
      balance: (address, asset, height) => this.#answer('balance', () => this.#balance(address, asset.contract, height)),
      isContract: (address) => this.#answer('isContract', () => address === TOKEN),
    }
  }

  #feeOf(unsigned: Uint8Array): { slot: bigint; fee: bigint } {
    const { slot, feeMax } = this.codec.decode(unsigned)
    return { slot, fee: feeMax }
  }

  #nextSlot(address: string): bigint {
    let next = this.#nonceOf(address)
    while (this.#pool.some((each) => each.from === address && each.slot === next)) next++
    return next
  }

  #take(raw: Uint8Array): Awaited<ReturnType<ChainNode['broadcast']>> {
    const { txid, from, unsigned } = this.codec.detach(raw)
    this.broadcasts.push(toHex(raw))
    if (this.broadcastMode === 'lose') return { outcome: 'unknown', reason: 'no answer' }
    const known = this.#find(txid) !== undefined || this.#pool.some((each) => each.txid === txid)
    if (!known && this.codec.decode(unsigned).slot < this.#nonceOf(from)) return { outcome: 'unknown', reason: 'nonce too low' }
    if (!known) this.#pool.push({ txid, raw, from, ...this.#feeOf(unsigned), success: true })
    return this.broadcastMode === 'silent' ? { outcome: 'unknown', reason: 'no answer' } : { outcome: 'accepted' }
  }

  #stateOf(txid: string): TransactionState {
    const found = this.#find(txid)
    if (found) return { state: 'included', height: found.block.height, blockHash: found.block.hash, success: found.sent.success, fee: found.sent.fee }
    return this.#pool.some((each) => each.txid === txid) ? { state: 'pending' } : { state: 'unknown' }
  }
}

const bestPaid = (a: { fee: bigint }, b: { fee: bigint }): number => (a.fee > b.fee ? -1 : 1)

function giftTransfer({ txid, to, amount, contract, from }: Gift): BlockTransfer {
  return { txid, index: contract === null ? 0 : 1, asset: { chain: CHAIN, contract }, from, to, amount }
}
