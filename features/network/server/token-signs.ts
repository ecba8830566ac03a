import { ChainError, type TokenSigns } from '@holdfast/chain-core'
import type { Network } from './types.ts'

/**
 * What tells that balances of a token are not the sum of its logs, by every source that can be asked: one that hides a sign hides it from nobody. Null if
 * none answers, or the network's tokens cannot be looked at.
 */
export async function signsOfToken({ node, witnesses = [] }: Pick<Network, 'node' | 'witnesses'>, contract: string): Promise<TokenSigns | null> {
  const answers = await Promise.allSettled([node, ...witnesses].map(async (source) => source.contracts?.tokenSigns(contract)))
  const bug = answers.find((each) => each.status === 'rejected' && !(each.reason instanceof ChainError))
  if (bug) throw (bug as PromiseRejectedResult).reason
  const told = answers.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
  if (told.length === 0) return null
  const functions = new Map(told.flatMap((each) => each.functions.map((one) => [one.name, one] as const)))
  // The same holders are compared by each source: they count once, as the source saw them that found most.
  const [{ compared, differing }] = told.toSorted((a, b) => b.differing - a.differing || b.compared - a.compared) as [TokenSigns]
  return { functions: [...functions.values()], compared, differing }
}
