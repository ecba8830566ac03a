import { ChainError, type ChainNode } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import type { Network } from './types.ts'

/** What may be called final now: everything up to a height, on the word of these sources, which all have the reader's block there. */
export type FinalView = { height: bigint; sources: ChainNode[] }

/** Two sources of a chain say different things of what is final. Nothing of the chain is booked until they agree again. */
export class SourcesDisagreeError extends ChainError {
  override name = 'SourcesDisagreeError'
}

/** Fewer than two of the configured sources say what is final; nothing is booked until another one does. */
export class SourcesSilentError extends ChainError {
  override name = 'SourcesSilentError'
}

/** Whether nothing of a network may be booked for this: it is no matter of one row. */
export const haltsAll = (cause: unknown): boolean => cause instanceof SourcesDisagreeError || cause instanceof SourcesSilentError

/** Throws what failed where several things were tried each by itself; what halts a network before anything else. */
export function throwFirst(causes: readonly unknown[]): void {
  if (causes.length > 0) throw causes.find(haltsAll) ?? causes[0]
}

/**
 * How far a chain is final for a reader that stands at `tip` and knows `ourHash` at that height less the network's finality. With
 * one source, its word is enough. With several, each is asked for its block at that height: one that has another block there, or
 * no second one that has the same, means that nothing is final (throws SourcesDisagreeError or SourcesSilentError). A block's hash stands for
 * every block before it as well.
 */
export async function finalView({ name, node, witnesses = [] }: Network, height: bigint, ourHash: string): Promise<FinalView> {
  if (witnesses.length === 0) return { height, sources: [node] }
  const answers = await Promise.allSettled([node, ...witnesses].map((each) => each.blockHash(height)))
  const said = answers.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
  const unlike = said.findIndex((each) => each !== undefined && each !== ourHash)
  if (unlike >= 0)
    throw new SourcesDisagreeError(`${name}: at height ${height} source ${unlike + 1} has block ${said[unlike]}, and the block read is ${ourHash}`)
  const sources = [node, ...witnesses].filter((_, i) => said[i] === ourHash)
  if (sources.length < 2) throw new SourcesSilentError(`${name}: ${sources.length} of ${said.length} sources confirm height ${height}, two are needed`)
  return { height, sources }
}

/**
 * The answer to one question in which the sources of a view agree. Throws SourcesDisagreeError if two answer differently, and
 * ChainError where too few answer.
 */
export async function agreedAnswer<T>({ sources }: FinalView, question: string, ask: (source: ChainNode) => Promise<T>): Promise<T> {
  const answers = await Promise.allSettled(sources.map(ask))
  const bug = answers.find((each) => each.status === 'rejected' && !(each.reason instanceof ChainError))
  if (bug) throw (bug as PromiseRejectedResult).reason
  const given = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const [first, ...others] = given.map(textOf)
  const unlike = others.find((each) => each !== first)
  if (unlike !== undefined) throw new SourcesDisagreeError(`${question}: one source says ${first?.slice(0, 300)}, another one ${unlike.slice(0, 300)}`)
  if (given.length < Math.min(2, sources.length)) throw (answers.find((each) => each.status === 'rejected') as PromiseRejectedResult).reason
  return at(given, 0)
}

function textOf(answer: unknown): string {
  const plain = (value: unknown) => (typeof value === 'bigint' ? value.toString() : value instanceof Uint8Array ? toHex(value) : value)
  return JSON.stringify(answer, (_, value: unknown) => plain(value)) ?? 'nothing'
}
