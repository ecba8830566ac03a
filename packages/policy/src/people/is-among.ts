import { equalBytes, toHex } from '@holdfast/encoding'

/** Whether a person is among people, by id. */
export const isAmong = (people: readonly Uint8Array[], person: Uint8Array): boolean => people.some((each) => equalBytes(each, person))

/** Each person once, in the order in which they come. */
export const peopleOnce = (people: readonly Uint8Array[]): Uint8Array[] => [...new Map(people.map((id) => [toHex(id), id])).values()]

/** The people without some of them. */
export const without = (people: readonly Uint8Array[], gone: readonly Uint8Array[]): Uint8Array[] => people.filter((id) => !isAmong(gone, id))
