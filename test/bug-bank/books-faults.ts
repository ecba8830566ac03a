import type { PlantedFault } from './planted-faults.ts'

const TON = 'features/transfer/server/ton-chain.test.ts'
const ATTENTION = 'features/transfer/server/needs-attention.test.ts'
const SUMS = 'features/transfer/server/exported-sums.test.ts'
const WORDS = 'packages/intent/src/render-replacement.test.ts'
const CREATE = 'features/withdrawal/server/create-withdrawal.test.ts'

/** Faults around the books and what is said of them: what comes back, what cannot be booked or built, what is exported, what is read before it is approved. */
export const booksFaults: PlantedFault[] = [
  {
    file: 'packages/chains/ton/node/read-transaction.ts',
    original: 'const back = next.value < message.value ? next.value : message.value',
    replacement: 'const back = next.value',
    claimedBy: TON,
    test: 'brings back more coin than it cost',
    why: 'whoever is paid sends back more than the payment cost, and the order can never be booked',
  },
  {
    file: 'packages/chains/ton/node/read-block.ts',
    original: 'const amount = message.value - ((await sentAlong(senders, message)) ?? 0n)',
    replacement: 'const amount = (await sentAlong(senders, message)) === undefined ? message.value : 0n',
    claimedBy: TON,
    test: 'brings back more coin than it cost',
    why: "coin that came back beyond the cost is on the chain and in nobody's books",
  },
  {
    file: 'features/transfer/server/confirm.ts',
    original: 'if (haltsAll(cause)) halting ??= cause',
    replacement: 'halting ??= cause\n      if (halting) return',
    claimedBy: ATTENTION,
    test: 'keeps no other order from being booked',
    why: 'one order that cannot be booked stops its whole network, and says nothing of it',
  },
  {
    file: 'features/transfer/server/needs-attention.ts',
    original: '      backoff.fail(orderId)\n',
    replacement: '',
    claimedBy: ATTENTION,
    test: 'is put off, and keeps no other order',
    why: 'an order that cannot be booked is tried, and told, several times a second until the disk is full',
  },
  {
    file: 'features/transfer/server/take-back.ts',
    original: "return state === 'approving' || !(await readAttempts(tx, id)).some(isUnclear)",
    replacement: 'return true',
    claimedBy: CREATE,
    test: 'nor once its signers were told to begin',
    why: 'an order is taken back, and its funds are paid a second time, while a signature of it may exist',
  },
  {
    file: 'features/transfer/server/take-back.ts',
    original: "  await endLease(tx, order.row, 'released', needs.ports.clock.nowMs())\n",
    replacement: '',
    claimedBy: CREATE,
    test: 'the next order has its nonce',
    why: 'an order that was taken back keeps its place on the chain, and no later one of the address is ever signed',
  },
  {
    file: 'features/withdrawal/server/create-withdrawal.ts',
    original: '  await demandBuildable(needs, { orgId: caller.orgId, network, language: caller.language }, { ...wantedBy(request, payer), quoted: tiers })\n',
    replacement: '',
    claimedBy: CREATE,
    test: 'that cannot be built is refused',
    why: 'people approve a payment that no transaction can make, and its funds stay held for days',
  },
  {
    file: 'features/transfer/server/order-view.ts',
    original: 'isAbout ? { ...row, amount: 0n } : row',
    replacement: 'row',
    claimedBy: SUMS,
    test: 'never calls a cancellation or a speed-up a payment',
    why: 'a cancelled payment is shown as paid, by the order that cancelled it',
  },
  {
    file: 'features/transfer/server/order-view.ts',
    original: "const paid = state === 'replaced' ? null : isAbout ? (cost ?? null) : row.fee_paid",
    replacement: 'const paid = isAbout ? (cost ?? null) : row.fee_paid',
    claimedBy: SUMS,
    test: 'never calls a cancellation or a speed-up a payment',
    why: 'the fee of a cancellation is told twice',
  },
  {
    file: 'features/transfer/server/moved-money.ts',
    original: 'const paid = isDone || status === FAILED ? fee : null',
    replacement: 'const paid = isDone ? fee : null',
    claimedBy: SUMS,
    test: 'adds up to what the books have',
    why: 'the fee of a payment that failed on the chain stands in no export',
  },
  {
    file: 'packages/intent/src/render-replacement.ts',
    original: '      ...ownRows(about, locale),\n',
    replacement: '',
    claimedBy: WORDS,
    test: 'name everybody whom the payment pays',
    why: 'people approve to pay again, or to cancel, without being shown whom',
  },
  {
    file: 'packages/policy/src/check-approval.ts',
    original: 'const wordings = [renderIntent, ...(allowsEarlierWords ? [earlierRenderings] : [])]',
    replacement: 'const wordings = [renderIntent, earlierRenderings]',
    claimedBy: 'packages/policy/src/earlier-words.test.ts',
    why: 'a server has people approve over words that leave out whom a payment pays',
  },
  {
    file: 'features/strategy/server/closing-orders.ts',
    original: "const WAITING = ['approving', 'approved', 'signing'] as const",
    replacement: "const WAITING = ['signing'] as const",
    claimedBy: 'features/strategy/server/policy-change.test.ts',
    test: 'names the orders that it closes',
    why: 'a change of the policy closes waiting payments, and nobody was told before',
  },
  {
    file: 'features/session/console/kept-draft.ts',
    original: 'const found = kept?.personId === personId ? kept.reopen : undefined',
    replacement: 'const found = kept?.reopen',
    claimedBy: 'features/session/console/kept-draft.test.ts',
    why: 'whoever signs in next on a shared machine finds what somebody else was about to pay',
  },
  {
    file: 'features/transfer/server/order-money.ts',
    original: 'references.indexOf(b.reference)).at(-1)',
    replacement: 'references.indexOf(b.reference))[0]',
    claimedBy: 'features/transfer/server/order-money.test.ts',
    test: 'an order whose hold was begun anew any number of times gives back the last one',
    why: 'an order whose settlement a reorganisation took back looks for its first hold, which is closed, and can neither end nor be paid',
  },
  {
    file: 'features/transfer/server/order-money.ts',
    original: '    if (rows.length < HOLDS_AT_ONCE) return last\n',
    replacement: '    return last\n',
    claimedBy: 'features/transfer/server/order-money.test.ts',
    test: 'an order whose hold was begun anew any number of times gives back the last one',
    why: 'an order that was reorganised four times keeps what it holds for good',
  },
]
