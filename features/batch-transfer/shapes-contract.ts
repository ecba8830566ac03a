import * as z from 'zod'

/** What one of the calls of a batch says of its lines when they were read. */
export const answered = z.object({
  batch_id: z.string(),
  rows: z.int().describe('Lines that can be paid'),
  total: z.string().describe('What they pay together, decimal text'),
  errors: z.array(z.object({ line: z.int(), code: z.string(), msg: z.string() })),
  warnings: z.array(z.object({ line: z.int(), kind: z.enum(['duplicate', 'lookalike', 'contract', 'first_seen']) })),
})

/**
 * Checked: read and nothing asked. Approving: people are asked. Approved: its lines are being paid. Stopped: no further line is paid. Finished: every line has
 * its end.
 */
export const batchState = z.enum(['checked', 'approving', 'approved', 'stopped', 'finished', 'rejected', 'cancelled', 'expired', 'superseded'])
export type BatchState = z.infer<typeof batchState>

/**
 * How lines are paid: each by a transaction of its own, or on EVM networks many by one call of a contract. Networks of coins and TON pay several by one in
 * any case.
 */
export const batchMode = z.enum(['single', 'contract'])
export type BatchMode = z.infer<typeof batchMode>

/** What became of a line. Not executed: no signer signed for it. Failed: the chain ran it without effect, or gave its place to another transaction. */
export const lineState = z.enum(['pending', 'processing', 'completed', 'failed', 'not_executed'])
export type LineState = z.infer<typeof lineState>
