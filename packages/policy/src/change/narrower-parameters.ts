import { toHex } from '@holdfast/encoding'
import { boundsOf, type Comparison, type Condition, comparisonsIn, placeAt, rangeOf, type Test } from '../conditions/index.ts'
import { isAtMost, isWithin } from './compare.ts'

/**
 * Whether a condition on parameters, in either form, holds for nothing that another one did not hold for: it compares at least the same places, and none of
 * them lets more be. Where it is not known what the one says of a call, it is not known of the other either, or it holds.
 */
export const isNarrowerOnParameters = (is: Condition, was: Condition): boolean => {
  const compared = comparisonsIn(is)
  return comparisonsIn(was).every((before) => compared.some((each) => isAtSamePlace(each, before) && isNarrowerAt(each, before)))
}

const isAtSamePlace = (one: Comparison, other: Comparison): boolean => one.signature === other.signature && one.path.join('.') === other.path.join('.')

const isNarrowerAt = (is: Comparison, was: Comparison): boolean => isAtMost(is.lengthAtMost, was.lengthAtMost) && isNarrowerTest(is.test, was.test, is)

function isNarrowerTest(is: Test, was: Test, { signature, path }: Comparison): boolean {
  if (was.kind === 'any') return true
  if (is.kind === 'numbers' && was.kind === 'numbers') {
    const type = placeAt(signature, path)?.element
    if (type?.kind !== 'uint' && type?.kind !== 'int') return false
    const [least] = rangeOf(type)
    const [after, before] = [boundsOf(is, type), boundsOf(was, type)]
    return (after.atLeast ?? least) >= (before.atLeast ?? least) && isAtMost(after.atMost, before.atMost)
  }
  if (is.kind === 'truth' && was.kind === 'truth') return is.is === was.is
  if (is.kind === 'addresses' && was.kind === 'addresses') return isWithin(is.addresses, was.addresses)
  if (is.kind === 'texts' && was.kind === 'texts') return isWithin(is.values, was.values)
  return is.kind === 'bytes' && was.kind === 'bytes' && isWithin(is.values.map(toHex), was.values.map(toHex))
}
