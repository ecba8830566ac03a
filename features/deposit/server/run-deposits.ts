import { loadAddedTokens } from '@holdfast/features/network/server'
import { claimRunner, repeat, tellSeldom } from '@holdfast/jobs'
import type { ScanNeeds } from './reading/advance.ts'
import { startAudits } from './audit/run-audits.ts'
import { noMemory, readPending } from './reading/read-pending.ts'
import { scanChain, type ScanMemory } from './reading/scan.ts'

const PAUSE_MS = 1_000
const LOCAL_PAUSE_MS = 250
/** The list of pending transactions is long on a large network, and nothing depends on seeing it soon. */
const POOL_PAUSE_MS = 10_000
/** How long another server waits before it takes over from one that died. */
const CLAIM_MS = 5_000

/**
 * Reads every network until stopped, one server at a time for each: it takes in deposits and pending ones, confirms our own payments, and proves
 * the ledger.
 */
export function startDeposits(needs: ScanNeeds, tell: (cause: unknown) => void = () => {}): { stop(): Promise<void> } {
  const report = tellSeldom(needs.ports.clock, tell)
  const scanners = needs.networks.list().map((network) => {
    const claim = claimRunner(needs, `scan:${network.chain}`, CLAIM_MS)
    const memory: ScanMemory = {}
    const scanner = repeat(
      needs.ports.timer,
      network.local ? LOCAL_PAUSE_MS : PAUSE_MS,
      async (isStopped) => {
        while (!isStopped() && (await claim.held())) {
          if (!(await scanChain(needs, network, memory, report))) return
        }
      },
      report,
    )
    return { stop: () => scanner.stop().then(() => claim.release()) }
  })
  const pools = needs.networks.list().flatMap((network) => {
    if (!network.node.coins) return []
    const claim = claimRunner(needs, `pool:${network.chain}`, CLAIM_MS)
    const memory = noMemory()
    const look = async () => void ((await claim.held()) && (await readPending(needs, network, memory)))
    const looks = repeat(needs.ports.timer, network.local ? PAUSE_MS : POOL_PAUSE_MS, look, report)
    return [{ stop: () => looks.stop().then(() => claim.release()) }]
  })
  // Every server knows the tokens that were added, whether or not it reads a chain.
  const tokens = repeat(needs.ports.timer, CLAIM_MS, () => loadAddedTokens(needs.db, needs.networks), report)
  const work = [...scanners, ...pools, tokens, startAudits(needs, report)]
  return { stop: async () => void (await Promise.all(work.map((each) => each.stop()))) }
}
