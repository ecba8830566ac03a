import { toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'

export type ToldBlock<Tx> = { height: number; hash: string; parentHash: string; transactions: Tx[] }
export type Question = { name: string; params: unknown }
/** What a source answers in place of the truth. Throws if it should not answer. */
export type Lie = (question: Question, truth: unknown) => unknown

/** A source does not know the question. */
export class MethodMissing extends Error {}

const honest: Lie = (_, truth) => truth

/** 32 bytes in hexadecimal, different for each name. */
export const hashOf = (name: string): string => toHex(sha256(new TextEncoder().encode(name)))

/**
 * A chain in memory whose nodes answer in the words of its family, so that the real adapter reads it. `Tx` is a transaction as the family's
 * `answer` reports it. Every source is a `fetch` over the same blocks and may lie about them.
 */
export abstract class ToldChain<Tx> {
  blocks: ToldBlock<Tx>[] = [{ height: 0, hash: this.blockHash(0, 'first block'), parentHash: this.blockHash(0, 'nothing'), transactions: [] }]
  #waiting: Tx[] = []
  #serial = 0
  /** The lie of the source that blocks are read from. */
  lie: Lie = honest

  /** The id of a block; that of block 0 is how some families know their network. */
  protected abstract blockHash(height: number, seed: string): string
  /** Has a stranger pay in the chain's own coin. Returns the transaction. */
  abstract pay(to: string, amount: bigint): Tx
  protected abstract questionOf(input: string, body: unknown): Question
  protected abstract answer(question: Question): unknown
  protected abstract wrapped(truth: unknown): unknown

  /** An id that no transaction had before. */
  newId(): string {
    return hashOf(`transaction ${++this.#serial}`)
  }

  add(...transactions: Tx[]): void {
    this.#waiting.push(...transactions)
  }

  /** Forgets pending transactions. */
  drop(): void {
    this.#waiting = []
  }

  mine(count = 1): void {
    for (let i = 0; i < count; i++) {
      const { height, hash } = this.tip
      const transactions = this.#waiting.splice(0)
      this.blocks.push({ height: height + 1, hash: this.blockHash(height + 1, `block ${++this.#serial}`), parentHash: hash, transactions })
    }
  }

  get tip(): ToldBlock<Tx> {
    return this.blocks.at(-1)!
  }

  /** Gives up the newest blocks with all that was in them, and mines as many others and one more. */
  reorganise(depth: number): void {
    this.blocks.splice(-depth)
    this.mine(depth + 1)
  }

  /** Another source of the same blocks. */
  source(lie: Lie = honest): typeof globalThis.fetch {
    return async (input, init) => {
      const question = this.questionOf(String(input), JSON.parse(String(init?.body)))
      try {
        return Response.json(this.wrapped(lie(question, this.answer(question))))
      } catch (cause) {
        if (!(cause instanceof MethodMissing)) throw cause
        return Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: `the method ${question.name} does not exist/is not available` } })
      }
    }
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => this.source((question, truth) => this.lie(question, truth))(input, init)

  heal(): void {
    this.lie = honest
  }
}
