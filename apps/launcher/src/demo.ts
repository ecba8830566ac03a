import { CallError, type OutputOf } from '@holdfast/contract'
import { exportLog, getEvidence } from '@holdfast/features/evidence/contract'
import { checkStrategy } from '@holdfast/features/policy/contract'
import { getWithdrawal, listTransactions } from '@holdfast/features/transaction/contract'
import { getDepositAddress } from '@holdfast/features/deposit-address/contract'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import { nodePorts as ports, projectFolder } from '@holdfast/ports/node'
import { depositFromFaucet } from './deposit-from-faucet.ts'
import { foundOrganisation } from './found-organisation.ts'
import { LOCAL_CHAIN, type LocalSettings, localSettings } from './local-settings.ts'
import { type LocalStack, startLocalStack } from './local-stack.ts'
import { makeWallet } from './make-wallet.ts'
import { type Order, orderPayment, waitUntilPaid } from './order-payment.ts'
import { proveRecovery } from './prove-recovery.ts'
import { recoveryDrill } from './run-drill.ts'
import { runToEnd } from './run-to-end.ts'
import type { TerminalMember } from './terminal-member.ts'
import { waitUntil } from './wait-until.ts'

/*
 * The main job from a terminal, against real processes: found an organisation, make a wallet, prove its recovery, deposit,
 * ask, approve, sign by threshold, confirm, and verify the evidence offline. Exit code 0 means that all of it held.
 */

const NAMES = ['Alice Chen', 'Bruno Diaz', 'Chiara Rossi']
const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const { print } = ports.process
let stepNumber = 0

async function step<T>(title: string, act: () => Promise<T>): Promise<T> {
  const startedMs = ports.clock.monotonicMs()
  const result = await act()
  print(`${String(++stepNumber).padStart(2)}. ${title.padEnd(72)} ${(ports.clock.monotonicMs() - startedMs).toFixed(0).padStart(7)} ms`)
  return result
}

async function ask(alice: TerminalMember, subWalletId: string, symbol: string, amount: string): Promise<Order> {
  const policy = await alice.client.call(checkStrategy, { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, symbol, amount, address_to: DESTINATION })
  print(`      ${policy.sentence}`)
  return orderPayment(ports, alice, { subWalletId, symbol, amount, to: DESTINATION, remark: 'Demo payment' })
}

async function refuseOwnApproval(alice: TerminalMember, hash: string): Promise<void> {
  const answer = await alice.decide(hash, 'approve').then(
    (each) => each.missing,
    () => undefined,
  )
  if (answer !== undefined && answer < 2) throw new Error("the initiator's own approval was counted")
}

async function main(): Promise<void> {
  const root = await projectFolder(import.meta.url)
  const folder = `${ports.process.host.temporaryFolder}/holdfast-demo-${ports.process.env.HOLDFAST_PORT ?? '27000'}`
  await ports.disk.remove(folder)
  const settings = {
    ...localSettings({ process: { ...ports.process, env: { HOLDFAST_PORT: '27000', ...ports.process.env, HOLDFAST_DATA: folder } } }, root),
    openSetup: true,
  }
  print('Holdfast: the main job, from an empty folder to verified evidence\n')
  const stack: LocalStack = await step('Start the local network, database, server and three signers', () => startLocalStack(ports, settings, () => undefined))
  try {
    await run(settings)
    print('\nAll of it held.')
  } finally {
    await stack.stop()
  }
}

async function run(settings: LocalSettings): Promise<void> {
  const { members, fingerprint } = await step('Found an organisation of three people, pinned by three signers', () =>
    foundOrganisation(ports, settings, { name: 'Demo organisation', members: NAMES, threshold: 2 }),
  )
  const [alice, bruno, chiara] = members as [TerminalMember, TerminalMember, TerminalMember]
  const { walletId, subWalletId } = await step('Generate a key that no one holds: three signers, three pairs', () => makeWallet(ports, alice, 'Treasury'))
  await step('No address before recovery is proven', async () => {
    const closed = await alice.client.call(getDepositAddress, { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH' })
    if (closed.enableDeposit || closed.address !== null) throw new Error('an address was shown before recovery was proven')
  })
  await step('Prove recovery offline: two of three sealed shares rebuild the key', () => proveRecovery(ports, settings, alice, walletId))
  showCommand('recover', ...recoveryDrill(settings, { name: walletId, proof: 'own-drill' }).args)
  await step('Deposit 2 ETH from outside, credited at finality', () => depositFromFaucet(ports, settings, alice, { subWalletId, symbol: 'ETH', amount: '2' }))
  await step('Deposit 500.25 USDX (a token of 6 decimals)', () => depositFromFaucet(ports, settings, alice, { subWalletId, symbol: 'USDX', amount: '500.25' }))
  const order = await step('Ask for a payment of 125.5 USDX; its funds are held', () => ask(alice, subWalletId, 'USDX', '125.5'))
  await step('The person who asks cannot approve', () => refuseOwnApproval(alice, order.hash))
  await step('Bruno approves', () => bruno.decide(order.hash, 'approve'))
  await step('Chiara approves; two signers verify everything, sign, and it is broadcast', async () => {
    await chiara.decide(order.hash, 'approve')
    await waitUntil(ports, 'the transaction', async () => ((await alice.client.call(getWithdrawal, { id: order.id })).txid ? true : undefined))
  })
  const done = await step('Confirmed; the ledger settles with the real fee', () => waitUntilPaid(ports, alice, order))
  for (const event of done.timeline)
    print(
      `      ${new Date(event.at).toISOString()}  ${event.state.padEnd(12)} ${event.sub_status.padEnd(22)} ${event.actor}${event.reason ? `: ${event.reason}` : ''}`,
    )
  await step('The balance is exact to the last unit', async () => {
    const { list } = await alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
    const usdx = list.find((each) => each.symbol === 'USDX')
    if (usdx?.normal_balance !== '374.75' || usdx.lock_balance !== '0') throw new Error(`available ${usdx?.normal_balance}, held ${usdx?.lock_balance}`)
    await alice.client.call(listTransactions, {})
  })
  const verdict = await step('Verify the evidence offline, with no server', async () => {
    const { bundle } = await alice.client.call(getEvidence, { id: order.id })
    const path = `${settings.folder}/evidence`
    await ports.disk.writeAtomic(path, Buffer.from(bundle, 'base64'))
    return runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, 'verify-evidence', path, '--fingerprint', fingerprint], {
      cwd: settings.root,
      logPath: `${settings.folder}/logs/verify-evidence.log`,
      what: 'verifying the evidence',
    })
  })
  showCommand('verify-evidence', `${settings.folder}/evidence`, '--fingerprint', fingerprint)
  const files = await step('Verify the whole log offline, under the checkpoint that signers cosigned', () => verifyWholeLog(settings, alice, fingerprint))
  showCommand('verify-log', ...files, '--fingerprint', fingerprint)
  print(`\n${verdict.trim()}`)
}

/** Writes the log and its newest checkpoint to files, and has the command line check them. Answers the files. */
async function verifyWholeLog(settings: LocalSettings, alice: TerminalMember, fingerprint: string): Promise<string[]> {
  const [logPath, checkpointPath] = [`${settings.folder}/log`, `${settings.folder}/log-checkpoint`]
  const pieces: Buffer[] = []
  let checkpoint = ''
  for (let from: number | null = 0; from !== null; ) {
    const answer: OutputOf<typeof exportLog> = await alice.client.call(exportLog, { from })
    pieces.push(Buffer.from(answer.log, 'base64'))
    checkpoint = answer.checkpoints[0]?.note ?? ''
    from = answer.next
  }
  await ports.disk.writeAtomic(logPath, Buffer.concat(pieces))
  await ports.disk.writeAtomic(checkpointPath, new TextEncoder().encode(checkpoint))
  await runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, 'verify-log', logPath, checkpointPath, '--fingerprint', fingerprint], {
    cwd: settings.root,
    logPath: `${settings.folder}/logs/verify-log.log`,
    what: 'verifying the log',
  })
  return [logPath, checkpointPath]
}

/** What a person types to do the same by hand, as long as the demo's folder is there. */
function showCommand(name: string, ...args: string[]): void {
  const quoted = args.map((each) => (/^[A-Za-z0-9_./:=-]+$/.test(each) ? each : `'${each.replaceAll("'", `'\\''`)}'`))
  print(`      By hand: npm run ${name} -- ${quoted.join(' ')}`)
}

await main().then(
  () => ports.process.exit(0),
  async (cause) => {
    ports.process.printError(`\n${cause instanceof CallError || cause instanceof Error ? cause.message : String(cause)}`)
    await ports.process.exit(1)
  },
)
