/** What a rule can compare a value of a type with. */
export type ComparedAs = 'addresses' | 'numbers' | 'signed' | 'truth' | 'bytes' | 'texts'

/**
 * A place in the parameters of a function: the parameter, and the part of each tuple on the way, counted from 1. `as` is what it can be compared with, each
 * element of it where it is a list; undefined for a list of tuples, whose length alone can be. `isEach`: it is a list, or stands in the elements of one.
 * `hasLength`: it is a list of any length.
 */
export type ParameterPlace = { number: number; parts: number[]; type: string; as: ComparedAs | undefined; isEach: boolean; hasLength: boolean }

/** Types that stand side by side, the outermost ones whole: `address,(uint256,bool)[]` has two. */
function splitTypes(inside: string): string[] {
  const types: string[] = []
  let [depth, type] = [0, '']
  for (const letter of inside) {
    if (letter === ',' && depth === 0) {
      types.push(type)
      type = ''
      continue
    }
    if (letter === '(') depth++
    if (letter === ')') depth--
    type += letter
  }
  return type === '' ? types : [...types, type]
}

/** Every place that a rule can compare in the parameters of a function, by its canonical signature. */
export function parameterPlaces(signature: string): ParameterPlace[] {
  const [, inside = ''] = /^[^(]*\((.*)\)$/.exec(signature) ?? []
  return splitTypes(inside).flatMap((type, i) => placesIn(type, { number: i + 1, parts: [], isEach: false }))
}

function placesIn(type: string, at: Pick<ParameterPlace, 'number' | 'parts' | 'isEach'>): ParameterPlace[] {
  const [, element = '', lists = ''] = /^(.*?)((?:\[\d*\])*)$/.exec(type) ?? []
  const [, within] = /^\((.*)\)$/.exec(element) ?? []
  const as = within === undefined ? comparedAs(element) : undefined
  // The last brackets are those of the outermost list.
  const hasLength = lists.endsWith('[]')
  const isEach = at.isEach || lists !== ''
  const own = as || hasLength ? [{ ...at, type, as, isEach, hasLength }] : []
  return within === undefined ? own : [...own, ...splitTypes(within).flatMap((part, i) => placesIn(part, { ...at, parts: [...at.parts, i + 1], isEach }))]
}

/** The place that a row of a condition is about; undefined if the function has none such. */
export const placeOf = ({ function: signature, number, parts = [] }: { function: string; number: number; parts?: readonly number[] | undefined }) =>
  parameterPlaces(signature).find((each) => each.number === number && each.parts.join('.') === parts.join('.'))

function comparedAs(type: string): ComparedAs | undefined {
  if (type === 'address') return 'addresses'
  if (type === 'bool') return 'truth'
  if (type === 'string') return 'texts'
  if (/^bytes\d*$/.test(type)) return 'bytes'
  return /^uint\d+$/.test(type) ? 'numbers' : /^int\d+$/.test(type) ? 'signed' : undefined
}
