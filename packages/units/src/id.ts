declare const whose: unique symbol

/**
 * An id that says of what it is, so that the id of one thing is not taken for that of another. It is text and costs nothing; text that came in from outside is
 * taken for any id, since nobody knows yet what it names.
 */
export type Id<Kind extends string> = string & { readonly [whose]?: Kind }

export type OrganisationId = Id<'organisation'>
export type PersonId = Id<'person'>
/** The id under which a machine of the policy stands where orders name people (`partyOfMachine`): nobody's id. */
export type MachinePartyId = Id<'machine'>
/** Who asks for an order: a person, or a machine. */
export type RequesterId = PersonId | MachinePartyId
export type WalletId = Id<'wallet'>
export type SubWalletId = Id<'sub-wallet'>
export type OrderId = Id<'order'>
