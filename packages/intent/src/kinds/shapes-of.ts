import type { StructShape } from '@holdfast/encoding'

/** The shapes of kinds of orders, by the names of the kinds. */
export function shapesOf<K extends Record<string, { shape: StructShape }>>(kinds: K): { [Name in keyof K]: K[Name]['shape'] } {
  return Object.fromEntries(Object.entries(kinds).map(([name, { shape }]) => [name, shape])) as { [Name in keyof K]: K[Name]['shape'] }
}
