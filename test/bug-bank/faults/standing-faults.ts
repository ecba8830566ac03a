import type { PlantedFault } from '../planted-faults.ts'

const COVERED = 'apps/signer/src/checks/standing/covered.ts'
const KEPT = 'apps/signer/src/checks/standing/kept.ts'
const TOLD = 'apps/signer/src/checks/standing/told.ts'
const EVALUATE = 'packages/policy/src/standing/evaluate-standing.ts'
const COLLECTOR = 'packages/policy/src/standing/evaluate-collector.ts'
const SWEEPER = 'packages/policy/src/standing/evaluate-sweeper.ts'
const SWEEPER_TEST = 'apps/signer/src/checks/standing/sweeper.test.ts'
const CHOOSE = 'features/collection/server/choose.ts'
const COVERED_TEST = 'apps/signer/src/checks/standing/covered.test.ts'
const KEPT_TEST = 'apps/signer/src/checks/standing/kept.test.ts'
const COINS_TEST = 'apps/signer/src/checks/standing/coins.test.ts'
const TOLD_TEST = 'apps/signer/src/checks/standing/told.test.ts'
const DELEGATING_TEST = 'apps/signer/src/checks/standing/delegating.test.ts'
const RENTING_TEST = 'apps/signer/src/checks/standing/renting.test.ts'
const STANDING_ORDER = 'packages/intent/src/kinds/standing-order/standing-order.ts'
const COLLECTOR_TEST = 'apps/signer/src/checks/standing/collector.test.ts'
const CHOOSE_TEST = 'features/collection/server/choose.test.ts'
const SCHEDULE = 'packages/intent/src/kinds/standing-order/schedule.ts'
const SCHEDULE_TEST = 'packages/intent/src/kinds/standing-order/standing-order.test.ts'
const SCHEDULED_TEST = 'apps/signer/src/checks/standing/scheduled.test.ts'
const DUE = 'features/standing-order/server/choose/choose-due.ts'
const DUE_TEST = 'features/standing-order/server/choose/choose-due.test.ts'
const PARTS = 'packages/policy/src/parts.ts'
const REASONS = 'features/standing-order/server/reasons.ts'
const STANDING_TEST = 'features/standing-order/server/standing-order.test.ts'
const HOSTILE = 'apps/signer/src/checks/standing/hostile-server.test.ts'

/** Faults around standing orders: money that moves by itself further than people approved, or after they stopped it. */
export const standingFaults: PlantedFault[] = [
  {
    file: COVERED,
    original: 'amount <= POSTAGE_MAX)',
    replacement: 'amount < POSTAGE_MAX)',
    claimedBy: COINS_TEST,
    why: 'a coin that may carry an inscription is joined into a collection that nobody looks at',
  },
  {
    file: COVERED,
    original: '(!isKnown && !equalBytes(kept.hash, hash))',
    replacement: '(!isKnown && hash.length === 0)',
    claimedBy: COVERED_TEST,
    why: 'a request names another version than the one that people approved last',
  },
  {
    file: COVERED,
    original: 'if (request.approvals.length > 0)',
    replacement: 'if (request.approvals.length > 9)',
    claimedBy: COVERED_TEST,
    why: 'evidence shows approvals that nobody counted',
  },
  {
    file: COVERED,
    original: '    checkNotStopped(kept, register)\n    const fault',
    replacement: '    const fault',
    claimedBy: COVERED_TEST,
    why: 'a standing order goes on after somebody stopped it',
  },
  {
    file: COVERED,
    original: 'if (fault !== undefined) throw',
    replacement: "if (fault === '') throw",
    claimedBy: COVERED_TEST,
    why: 'whatever is asked for in the name of a standing order is signed',
  },
  {
    file: COVERED,
    original: 'if (!kept || !equalBytes(kept.hash, hash)) throw',
    replacement: 'if (!kept) throw',
    claimedBy: COVERED_TEST,
    test: 'ends between the request and the signature where a newer version comes',
    why: 'a transfer is signed under the version that a newer one has just replaced',
  },
  {
    file: COVERED,
    original: '  checkNotStopped(kept, register)\n}',
    replacement: '}',
    claimedBy: COVERED_TEST,
    test: 'stops at once when one person stops the standing order, also between the request and the signature',
    why: 'a stop that comes after the request takes effect one signature late',
  },
  {
    file: COVERED,
    original: ".state === 'listed' },",
    replacement: ".state !== 'none' },",
    claimedBy: COVERED_TEST,
    test: 'is signed to an address on the whitelist, as long as it is listed',
    why: 'money goes by itself to an address that is still in its waiting period',
  },
  {
    file: COVERED,
    original: '(codec ? ownAddressAt(place, register, codec) : undefined)',
    replacement: '(codec ? originalOf(intent).to : undefined)',
    claimedBy: HOSTILE,
    why: 'a signer believes that the paid address is the organisation’s, as the order says',
  },
  {
    file: COVERED,
    original: 'amount <= POSTAGE_MAX)',
    replacement: 'amount < 0n)',
    claimedBy: HOSTILE,
    why: 'a hostile server has coins swept that carry inscriptions',
  },
  {
    file: 'apps/signer/src/checks/verify-reservation.ts',
    original: 'if (held?.validUntilMs != null && BigInt(nowMs) > held.validUntilMs) return',
    replacement: 'if (held?.validUntilMs != null) return',
    claimedBy: HOSTILE,
    why: 'two orders of a TON wallet are signed for one seqno while either can be carried out',
  },
  {
    file: KEPT,
    original: "if (fault !== undefined) throw new Refused('c10', fault)",
    replacement: "if (fault === '') throw new Refused('c10', fault)",
    claimedBy: KEPT_TEST,
    why: 'an older version takes the place of the one by which people drew a limit tighter',
  },
  {
    file: KEPT,
    original: "if (strange !== undefined) throw new Refused('c4', strange)",
    replacement: "if (strange === '') throw new Refused('c4', strange)",
    claimedBy: KEPT_TEST,
    why: 'people read amounts with decimals that are not those of the asset',
  },
  {
    file: KEPT,
    original: '  checkNotFrozen(register)\n',
    replacement: '',
    claimedBy: KEPT_TEST,
    why: 'a standing order comes into force while everything is frozen',
  },
  {
    file: KEPT,
    original: 'if (isLate(order, view)) return',
    replacement: '',
    claimedBy: KEPT_TEST,
    why: 'a signer that was away cannot follow what the others follow',
  },
  {
    file: KEPT,
    original: '[...never, ...named.map(({ address }) => address)].find',
    replacement: 'named.map(({ address }) => address).find',
    claimedBy: KEPT_TEST,
    why: 'an excluded address that is spelt in another way excludes nobody',
  },
  {
    file: KEPT,
    original: '[...assets, ...fees]',
    replacement: 'assets',
    claimedBy: KEPT_TEST,
    why: 'people read the fee cap with decimals that are not those of the coin',
  },
  {
    file: TOLD,
    original: 'if (told.version > kept.order.version)',
    replacement: 'if (told.version > kept.order.version + 1n)',
    claimedBy: TOLD_TEST,
    why: 'two signers go on by a version that the third knows to be over',
  },
  {
    file: TOLD,
    original: 'if (told.version === kept.order.version && !equalBytes(told.hash, kept.hash))',
    replacement: 'if (told.version === kept.order.version && told.hash.length === 0)',
    claimedBy: TOLD_TEST,
    why: 'signers follow two orders of one version, and nobody notices',
  },
  {
    file: TOLD,
    original: 'if (!kept || !told || !person || kept.stoppedBy || !equalBytes(told.hash, kept.hash)) return []',
    replacement: 'if (kept !== null) return []',
    claimedBy: HOSTILE,
    why: 'a stop that only the third signer was told is not heard',
  },
  {
    file: TOLD,
    original: 'kept.stoppedBy || !equalBytes(told.hash, kept.hash)',
    replacement: 'kept.stoppedBy',
    claimedBy: TOLD_TEST,
    why: 'the stop of an older version stops the one that people approved since',
  },
  {
    file: EVALUATE,
    original: 'if (transfer.from === transfer.to)',
    replacement: "if (transfer.from === '')",
    claimedBy: COVERED_TEST,
    why: 'a server spends fees by moving money from an address to itself',
  },
  {
    file: EVALUATE,
    original: 'feeCap > fee.max',
    replacement: 'feeCap > 2n * fee.max',
    claimedBy: COVERED_TEST,
    why: 'fees go above what people allowed for a transaction',
  },
  {
    file: EVALUATE,
    original: 'address === transfer.from || address === transfer.to',
    replacement: 'address === transfer.to',
    claimedBy: COVERED_TEST,
    why: 'an address that people excluded is emptied',
  },
  {
    file: EVALUATE,
    original: "if (!paidPlace || addressAt(paidPlace) !== to) return 'nothing shows that the address that gets",
    replacement: "if (!paidPlace) return 'nothing shows that the address that gets",
    claimedBy: DELEGATING_TEST,
    why: 'energy is lent to a stranger, by the word of whoever asks',
  },
  {
    file: EVALUATE,
    original: "if (does.kind !== 'delegate' || !isDelegation(action))",
    replacement: "if (does.kind !== 'delegate')",
    claimedBy: DELEGATING_TEST,
    why: 'a stake is ended without anybody, and its energy is gone',
  },
  {
    file: EVALUATE,
    original: 'if (lockBlocks !== 0n)',
    replacement: 'if (lockBlocks < 0n)',
    claimedBy: DELEGATING_TEST,
    why: 'a delegation that nobody approved so cannot be taken back for months',
  },
  {
    file: EVALUATE,
    original: '!does.resources.includes(resource)',
    replacement: 'does.resources.length === 0',
    claimedBy: DELEGATING_TEST,
    why: 'another resource is lent than the one that people approved',
  },
  {
    file: STANDING_ORDER,
    original: "(does.kind === 'delegate' ? ['rule', 'source'] : ['rule', 'destination', 'source'])",
    replacement: "['rule', 'destination', 'source']",
    claimedBy: DELEGATING_TEST,
    why: 'people approve a limit for each address that counts nothing',
  },
  {
    file: EVALUATE,
    original: "faultOfPayee({ kind: 'listed', ...provider, memo: null }",
    replacement: "faultOfPayee({ kind: 'listed', ...provider, address: to, memo: null }",
    claimedBy: RENTING_TEST,
    why: 'coin for energy is paid to a stranger, by the word of whoever asks',
  },
  {
    file: STANDING_ORDER,
    original: "return isBounded ? undefined : 'the standing order does not bound how much it pays in a time'",
    replacement: 'return undefined',
    claimedBy: RENTING_TEST,
    why: 'people approve that somebody outside is paid, and nothing bounds how much in a day',
  },
  {
    file: COLLECTOR,
    original: 'collector.readDeployment(call) === target ?',
    replacement: "collector.readDeployment(call) !== '' ?",
    claimedBy: COLLECTOR_TEST,
    why: 'fees are spent on a contract that moves to a stranger',
  },
  {
    file: COLLECTOR,
    original: 'amount > allowed.atMost ?',
    replacement: 'amount > 2n * allowed.atMost ?',
    claimedBy: COLLECTOR_TEST,
    why: 'an address allows more than people approved',
  },
  {
    file: COLLECTOR,
    original: 'amount < taken.atLeast || amount > taken.atMost',
    replacement: 'amount < taken.atLeast',
    claimedBy: COLLECTOR_TEST,
    why: 'more is taken of an address at once than people approved',
  },
  {
    file: COLLECTOR,
    original: 'by !== wanted || !taken',
    replacement: '!taken',
    claimedBy: COLLECTOR_TEST,
    why: 'accounts that delegated are collected from by a contract that nobody approved',
  },
  {
    file: SWEEPER,
    original: 'return to === sweeper.addressOf(target) ? undefined',
    replacement: "return to !== '' ? undefined",
    claimedBy: SWEEPER_TEST,
    why: 'an address lets the code of a stranger run in its name',
  },
  {
    file: SWEEPER,
    original: "if (delegate !== '' && delegate !== contract)",
    replacement: "if (delegate === 'nobody')",
    claimedBy: SWEEPER_TEST,
    why: 'a transaction carries what lets the code of a stranger run in the name of an own address',
  },
  {
    file: SWEEPER,
    original: 'if (!isOwn)',
    replacement: "if (authority === '')",
    claimedBy: SWEEPER_TEST,
    why: 'fees are spent on authorizations of strangers',
  },
  {
    file: EVALUATE,
    original: "order.does.kind !== 'take' && facts.carried.length > 0",
    replacement: "order.does.kind === 'sweep' && facts.carried.length > 0",
    claimedBy: SWEEPER_TEST,
    why: 'authorizations go along where people approved none',
  },
  {
    file: COVERED,
    original: 'place !== undefined && addressAt(place) === address',
    replacement: 'place !== undefined',
    claimedBy: SWEEPER_TEST,
    why: 'whoever runs the server says whose an account is',
  },
  {
    file: 'packages/intent/src/kinds/standing-order/authorization.ts',
    original: 'done: () => undefined',
    replacement: 'done: (intent) => act(intent)',
    claimedBy: SWEEPER_TEST,
    why: 'people are asked to let code run in the name of an address, as a call',
  },
  {
    file: COLLECTOR,
    original: 'never.includes(source)',
    replacement: "source === ''",
    claimedBy: COLLECTOR_TEST,
    why: 'a contract empties an address that people excluded',
  },
  {
    file: CHOOSE,
    original: 'isRevoking || allowance > 0n ? 0n',
    replacement: 'isRevoking ? 0n',
    claimedBy: CHOOSE_TEST,
    why: 'an allowance goes from one amount to another, which some tokens refuse for ever',
  },
  {
    file: CHOOSE,
    original: '[available, allowance, most]',
    replacement: '[available, most]',
    claimedBy: CHOOSE_TEST,
    why: 'a collection takes what nobody allowed, and fails for all addresses',
  },
  {
    file: EVALUATE,
    original: 'maxCount: 1n, maxCents: null',
    replacement: 'maxCount: 2n, maxCents: null',
    claimedBy: SCHEDULED_TEST,
    why: 'a scheduled payment is made twice for one date',
  },
  {
    file: EVALUATE,
    original: "does.kind === 'schedule' ? `/${dayPaid(transfer)}` : ''",
    replacement: "does.kind === 'schedule' ? `/${transfer.notBeforeMs}` : ''",
    claimedBy: SCHEDULED_TEST,
    why: 'a newer version with another time of day pays its dates anew',
  },
  {
    file: EVALUATE,
    original: '(lateDays + 2n) * DAY_MS',
    replacement: '(lateDays - 1n) * DAY_MS',
    claimedBy: SCHEDULED_TEST,
    why: 'a payment that was made on its date is made again when it is late',
  },
  {
    file: EVALUATE,
    original: '!does.days.includes(day) || transfer.notBeforeMs !== dueMs(does, day)',
    replacement: 'transfer.notBeforeMs !== dueMs(does, day)',
    claimedBy: SCHEDULED_TEST,
    why: 'a payment is made on every day',
  },
  {
    file: EVALUATE,
    original: '!does.days.includes(day) || transfer.notBeforeMs !== dueMs(does, day)',
    replacement: '!does.days.includes(day)',
    claimedBy: SCHEDULED_TEST,
    why: 'a payment is made before the time of its day',
  },
  {
    file: EVALUATE,
    original: 'expiresAtMs > lastMs(does, day)',
    replacement: 'expiresAtMs > lastMs(does, day) + DAY_MS',
    claimedBy: SCHEDULED_TEST,
    why: 'a payment is made later than people said',
  },
  {
    file: EVALUATE,
    original: 'path.length === transfer.path.length',
    replacement: 'path.length > 0',
    claimedBy: SCHEDULED_TEST,
    why: 'a scheduled payment comes from an address that nobody named',
  },
  {
    file: SCHEDULE,
    original: 'dueMs(does, first) <= notBeforeMs',
    replacement: 'dueMs(does, first) < 0n',
    claimedBy: SCHEDULE_TEST,
    why: 'a newer version opens dates that have passed',
  },
  {
    file: SCHEDULE,
    original: 'asset.atLeast !== asset.atMost',
    replacement: 'asset.atLeast > asset.atMost',
    claimedBy: SCHEDULE_TEST,
    why: 'people approve an amount, and less or more of it is paid',
  },
  {
    file: PARTS,
    original: "if (order.kind === 'standingOrder' && writtenTarget(order)) return policy.governance\n",
    replacement: '',
    claimedBy: SCHEDULED_TEST,
    why: 'whoever approves how deposits are collected can have any address paid',
  },
  {
    file: REASONS,
    original: '(not moving.is_final or moving.updated_at >= look.looked_at)',
    replacement: 'not moving.is_final',
    claimedBy: STANDING_TEST,
    why: 'coins for a fee are sent a second time, for what was said before the first had come',
  },
  {
    file: DUE,
    original: "  if (has('open')) return 'under_way'\n",
    replacement: '',
    claimedBy: DUE_TEST,
    why: 'a date whose payment is on its way gets another one',
  },
  {
    file: DUE,
    original: 'paid(roomy) > 0 && paid(roomy) === paid(tight) ? roomy : tight',
    replacement: 'paid(roomy) > 0 ? roomy : tight',
    claimedBy: DUE_TEST,
    why: 'a date is not paid because another one keeps money for a higher fee',
  },
]
