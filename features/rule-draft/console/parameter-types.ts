/** The types of a function's parameters as its canonical signature names them, the outermost ones whole: `f(address,(uint256,bool)[])` has two. */
export function parameterTypes(signature: string): string[] {
  const [, inside = ''] = /^[^(]*\((.*)\)$/.exec(signature) ?? []
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

/** What a rule can compare a parameter of such a type with; undefined where it cannot. */
export const comparedAs = (type: string | undefined): 'addresses' | 'numbers' | undefined =>
  type === 'address' ? 'addresses' : type !== undefined && /^uint\d+$/.test(type) ? 'numbers' : undefined
