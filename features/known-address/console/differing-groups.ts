/** The groups of an address, with those marked that stand otherwise in another address. The case of letters is no difference. */
export function differingGroups(groups: readonly string[], others: readonly string[]): { text: string; differs: boolean }[] {
  return groups.map((text, at) => ({ text, differs: text.toLowerCase() !== (others[at] ?? '').toLowerCase() }))
}
