import * as z from 'zod'

// What the calls of both books say alike.

/** So many entries an import takes at once. */
export const IMPORT_MAX = 500

export const similarAddress = z.object({
  address: z.string(),
  name: z.string().nullable(),
  kind: z.enum(['personal', 'book', 'own', 'paid']).describe("In one's own book; in the organisation's; of our own; paid before"),
})

/** A line of a file, as it was written. */
export const importRow = z.object({
  name: z.string().max(400),
  chain: z.string().max(64),
  address: z.string().max(400),
  memo: z.string().max(400).default(''),
  note: z.string().max(2000).default(''),
})

/** What became of a line of a file. */
export const importResult = z.enum(['added', 'duplicate', 'similar', 'bad_name', 'name_taken', 'bad_chain', 'bad_address', 'bad_text', 'full'])
