import { equalBytes } from '@holdfast/encoding'

/** Whether a person is among people, by id. */
export const isAmong = (people: readonly Uint8Array[], person: Uint8Array): boolean => people.some((each) => equalBytes(each, person))

/** The people without some of them. */
export const without = (people: readonly Uint8Array[], gone: readonly Uint8Array[]): Uint8Array[] => people.filter((id) => !isAmong(gone, id))
