/** Acts on each of some things, one after another, whatever becomes of the others: one that fails must not stop the rest. Answers what failed. */
export async function forEachApart<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<unknown[]> {
  const causes: unknown[] = []
  for (const item of items) await act(item).catch((cause: unknown) => void causes.push(cause))
  return causes
}
