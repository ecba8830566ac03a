import type { PlantedFault } from '../planted-faults.ts'

const BATCH = 'packages/intent/src/kinds/batch.ts'
const BATCH_TEST = 'packages/intent/src/kinds/batch.test.ts'
const CHECK = 'apps/signer/src/checks/batch.ts'
const VERIFY = 'apps/signer/src/checks/verify.ts'
const CHECK_TEST = 'apps/signer/src/checks/verify-batch.test.ts'
const TON_TEST = 'apps/signer/src/checks/networks/verify-ton.test.ts'
const EVIDENCE = 'packages/protocol/src/verify-batch.ts'
const EVIDENCE_TEST = 'apps/cli/src/verify/verify-batch.test.ts'

/** Faults around batches: a line that is paid twice, otherwise than people approved it, or after they stopped the batch. */
export const batchFaults: PlantedFault[] = [
  {
    file: BATCH,
    original: 'return equalBytes(encode(partShape, part), encoded) ? { number, part } : undefined',
    replacement: 'return { number, part }',
    claimedBy: CHECK_TEST,
    why: 'a signer signs an order that has the key of a line and pays something else',
  },
  {
    file: BATCH,
    original: 'nonce: digest(placeShape, { batch: hash, first: BigInt(first) }),',
    replacement: 'nonce: batch.nonce,',
    claimedBy: CHECK_TEST,
    why: 'a line of one batch is signed by the approvals of another that differs elsewhere',
  },
  {
    file: BATCH,
    original: '({ ...part, amount: totalOf(batch) })',
    replacement: 'part',
    claimedBy: CHECK_TEST,
    why: 'a payment above a limit is approved by fewer people, cut into lines',
  },
  {
    file: BATCH,
    original: 'if (keys.size !== lines.length + 1)',
    replacement: 'if (keys.size === 0)',
    claimedBy: BATCH_TEST,
    why: 'two lines are one order, and one of them is never paid',
  },
  {
    file: 'packages/intent/src/kinds/noted-payout.ts',
    original: 'mismatch: ({ outputs, asset }, effects, codec) => otherPayments(outputs, asset, effects, codec),',
    replacement:
      'mismatch: ({ outputs, asset }, effects, codec) => otherPayments(outputs.map((each, i) => ({ ...each, memo: effects.transfers[i]?.memo ?? null })), asset, effects, codec),',
    claimedBy: TON_TEST,
    why: 'the server swaps the comments of two customers of an exchange, and each is credited with what the other was paid',
  },
  {
    file: 'packages/intent/src/kinds/noted-payout.ts',
    original: ', memos: outputs.map(({ memo }) => memo) }',
    replacement: ' }',
    claimedBy: TON_TEST,
    why: 'a place that a rule names with a memo is paid with another',
  },
  {
    file: CHECK,
    original: 'if (!found) throw new Refused',
    replacement: "if (found === undefined && batch.remark === 'never') throw new Refused",
    claimedBy: CHECK_TEST,
    why: 'whatever is asked for beside an approved batch is signed',
  },
  {
    file: VERIFY,
    original: 'tallyOf(request, batched?.batch ?? intent, view',
    replacement: 'tallyOf(request, intent, view',
    claimedBy: CHECK_TEST,
    why: 'approvals of a line by itself are counted as those of the batch',
  },
  {
    file: VERIFY,
    original: '  checkVetoes(decided, needs, [], register)\n',
    replacement: '',
    claimedBy: CHECK_TEST,
    test: 'is stopped with all others by one person who may say no, also after the joins, and every signer is asked whether it knows of it',
    why: 'a batch that somebody stopped goes on for one line more',
  },
  {
    file: VERIFY,
    original: '  checkVetoes(decided, needs, tally.rejectedBy, register)',
    replacement: '  checkVetoes(intent, needs, tally.rejectedBy, register)',
    claimedBy: CHECK_TEST,
    why: 'nobody can stop what is left of a batch',
  },
  {
    file: 'apps/signer/src/checks/check-log.ts',
    original: "  if (batch) check('intent', batch.intent, batch.logged)\n",
    replacement: '',
    claimedBy: CHECK_TEST,
    why: 'a batch is paid that the log never had',
  },
  {
    file: EVIDENCE,
    original: "if (!found) throw new Error('the order is no part of the batch')",
    replacement: 'if (!found) return undefined',
    claimedBy: EVIDENCE_TEST,
    why: 'evidence shows people as approvers of a payment that was in no batch of theirs',
  },
]
