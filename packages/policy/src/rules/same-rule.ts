import { encode, equalBytes } from '@holdfast/encoding'
import { type Rule, ruleShape } from './rule-shapes.ts'

/** Whether two rules say the same. */
export const isSameRule = (one: Rule, other: Rule): boolean => equalBytes(encode(ruleShape, one), encode(ruleShape, other))
