/** The parties of the three signers. */
export const PARTIES = [1n, 2n, 3n]

/** Whether these are parties of signers, each named once and in ascending order. */
export const areAscendingParties = (parties: readonly bigint[]): boolean =>
  parties.every((party, i) => PARTIES.includes(party) && parties.slice(0, i).every((before) => before < party))
