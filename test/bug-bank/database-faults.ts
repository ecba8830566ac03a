import type { PlantedFault } from './planted-faults.ts'

const CONNECTIONS = 'packages/db/src/lost-connection.test.ts'
const SMUGGLED = 'packages/db/src/smuggled-sql.test.ts'
const PIPELINED = 'packages/db/src/pipelined-connection.test.ts'
const POSTINGS = 'packages/ledger/src/at-once.test.ts'
const ORDERS = 'features/transfer/server/at-once.test.ts'
const LAUNCHER = 'apps/launcher/src/keep-running.test.ts'

/** Faults around the database: connections that are lost, programs that end, and transactions that wait for one another. */
export const databaseFaults: PlantedFault[] = [
  {
    file: 'packages/db/src/open-database.ts',
    original: "  pool.on('connect', (client) => client.on('error', () => {}))\n",
    replacement: '',
    claimedBy: CONNECTIONS,
    test: 'fails the call that was under way and nothing else',
    why: 'one connection that ends while it is in use, as in any failover, ends the server',
  },
  {
    file: 'packages/db/src/run-transaction.ts',
    original: 'if (isLostConnection(cause)) throw new DatabaseAwayError',
    replacement: 'if (isLostConnection(cause) && attempt > 1) throw new DatabaseAwayError',
    claimedBy: CONNECTIONS,
    test: 'fails a transaction that the server ended while our own code kept it waiting',
    why: 'callers are told of a fault of the program where the database is away, and do not ask again',
  },
  {
    file: 'packages/db/src/lost-connection.ts',
    original: "'57P01', ",
    replacement: '',
    claimedBy: CONNECTIONS,
    test: 'is told from what a statement did wrong',
    why: 'a failover is answered as a fault of the program',
  },
  {
    file: 'packages/ledger/src/post.ts',
    original: '  await lockSubWallets(tx, [...new Set(lines.flatMap(({ account }) => subWalletOf(account) ?? []))])\n',
    replacement: '',
    claimedBy: POSTINGS,
    test: 'payments that are booked while others are asked for',
    why: 'for half of all sub-wallets orders at once wait for one another in a circle, a second each, and are refused',
  },
  {
    file: 'features/transfer/server/order/move.ts',
    original: '  await lockSubWallets(tx, [row.sub_wallet_id])\n  const news',
    replacement: '  const news',
    claimedBy: ORDERS,
    why: 'a payment that is seen and final at once holds the outbox while it waits for the ledger, and a new request holds the ledger while it waits for the outbox',
  },
  {
    file: 'features/approval/server/order-proposal-kind.ts',
    original: '    lockBeforeLog: (tx, { row }) => lockSubWallets(tx, [row.sub_wallet_id]),\n',
    replacement: '',
    claimedBy: ORDERS,
    why: 'an approval holds the log while it waits for the ledger, and a new request holds the ledger while it waits for the log',
  },
  {
    file: 'apps/launcher/src/keep-running.ts',
    original: '      if (clock.monotonicMs() - startedMs >= STEADY_MS) times = 0\n',
    replacement: '',
    claimedBy: LAUNCHER,
    test: 'is short again after a minute of work',
    why: 'a program that ends once a week is started a minute late in the end',
  },
  {
    file: 'apps/launcher/src/keep-running.ts',
    original: 'if (code === CONFIGURATION_EXIT_CODE) {',
    replacement: 'if (code === 2) {',
    claimedBy: LAUNCHER,
    test: 'only a configuration that is wrong is given up on',
    why: 'a program that was configured wrong is started again for ever, and nobody is told why it does not run',
  },
  {
    file: 'packages/db/src/prepare-run-time.ts',
    original: 'login noinherit nosuperuser',
    replacement: 'login inherit nosuperuser',
    claimedBy: SMUGGLED,
    test: 'cannot step out of its role',
    why: 'SQL that is smuggled in steps out of its role and still has the rights of it, without an organisation',
  },
  {
    file: 'packages/db/src/prepare-run-time.ts',
    original: 'organisation: [APP_ROLE], system:',
    replacement: 'organisation: [APP_ROLE, SYSTEM_ROLE], system:',
    claimedBy: SMUGGLED,
    test: 'cannot step out of its role',
    why: 'SQL that is smuggled into a transaction of one organisation becomes the role that sees all of them',
  },
  {
    file: 'packages/db/src/prepare-run-time.ts',
    original: '    await askForProof(client)\n',
    replacement: '',
    claimedBy: SMUGGLED,
    test: 'cannot name another organisation',
    why: 'SQL that is smuggled in names another organisation and sees all that is its',
  },
  {
    file: 'packages/db/src/prepare-run-time.ts',
    original: '    await refuseOwnTables(client)\n',
    replacement: '',
    claimedBy: SMUGGLED,
    test: 'leaves nothing for whoever has the connection next',
    why: 'a temporary table with the name of ours takes what the next organisation on the connection writes',
  },
  {
    file: 'packages/db/src/run-transaction.ts',
    original: "    await connection.ask('rollback').catch(() => {\n",
    replacement: '    await Promise.resolve().catch(() => {\n',
    claimedBy: 'packages/db/src/database.test.ts',
    test: 'leaves nothing open behind a transaction that could not say for whom it works',
    why: 'a transaction whose entry is refused stays open on its connection, and whoever has that next can do nothing any more',
  },
  {
    file: 'packages/jobs/src/outbox.ts',
    original: 'taken.value - ${events.length}::int8 + event.place',
    replacement: 'taken.value + 1 - event.place',
    claimedBy: 'packages/jobs/src/outbox.test.ts',
    test: 'writes several events of one transaction in one question, in their order',
    why: 'what one transaction says is told backwards',
  },
  {
    file: 'packages/db/src/pipelined-connection.ts',
    original: '    if (!LEAVES_NOTHING.test(text)) this.isSpoiled = true\n',
    replacement: '',
    claimedBy: PIPELINED,
    test: 'is not used again after it ran what may outlive its transaction',
    why: 'SQL that is smuggled in prepares a statement in place of ours, and the next organisation on the connection is answered by it',
  },
  {
    file: 'packages/db/src/run-transaction.ts',
    original: "    if (isOver) throw new Error('the transaction is over')\n",
    replacement: '',
    claimedBy: PIPELINED,
    test: 'takes no question of a transaction that is over',
    why: 'what a failed transaction left running asks in the name of the organisation that has the connection next',
  },
  {
    file: 'packages/db/src/run-transaction.ts',
    original: ' || isStaleStatement(error)',
    replacement: '',
    claimedBy: PIPELINED,
    test: 'learns a text anew after its table was changed under it',
    why: 'after an update of the tables every connection fails once at each thing it had learnt',
  },
  {
    file: 'features/transaction/server/count-orders.ts',
    original: 'known && known.beforeMs <= nowMs - SETTLED_MS / 2',
    replacement: 'known',
    claimedBy: 'features/transaction/server/count-orders.test.ts',
    test: 'a list says exactly how many orders there are',
    why: 'after a clock was set back a list does not count new orders, and its last page cannot be reached',
  },
]
