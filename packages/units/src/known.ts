/** Something is missing that cannot be: a fault of the program, never of the person who uses it. The message says what. */
export class ImpossibleAbsence extends Error {
  override name = 'ImpossibleAbsence'
}

/** A value that must be there, by what was checked before. Throws ImpossibleAbsence if it is not; `what` names it in the message, as in `the node of eip155:1`. */
export function known<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new ImpossibleAbsence(`this cannot be: ${what} is missing`)
  return value
}

/** The element of a list at an index from 0, counted from the start alone. Throws ImpossibleAbsence outside the list. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  // An element may itself be undefined, which is not to be outside.
  if (element === undefined && !(Number.isInteger(index) && index >= 0 && index < list.length))
    throw new ImpossibleAbsence(`this cannot be: element ${index} of a list of ${list.length} is missing`)
  return element as T
}

/** The last element of a list. Throws ImpossibleAbsence if the list is empty. */
export function last<T>(list: ArrayLike<T>): T {
  return at(list, list.length - 1)
}
