/** A sub-wallet that pays, by the name of its wallet and its own. */
export type Payer = { id: string; name: string }

type Named = {
  /** The sub-wallet that the page was opened for. */
  wantedId: string | undefined
  inUseId: string | undefined
  /** Whether the list is all there will be. */
  isWhole: boolean
}

/**
 * Who pays: the wanted sub-wallet, else the one in use, else the first; undefined while the named one may still come. `isReplaced`: another one than was wanted,
 * which people have to be told.
 */
export function findPayer(payers: readonly Payer[], { wantedId, inUseId, isWhole }: Named): { payer: Payer | undefined; isReplaced: boolean } | undefined {
  const byId = (id: string | undefined) => payers.find((each) => each.id === id)
  const namedId = wantedId ?? inUseId
  const named = byId(namedId)
  if (named) return { payer: named, isReplaced: false }
  if (namedId !== undefined && !isWhole) return undefined
  return { payer: byId(inUseId) ?? payers[0], isReplaced: wantedId !== undefined }
}
