import { claimRunner, forEachApart, repeat } from '@holdfast/jobs'
import type { ScanNeeds } from '../reading/advance.ts'
import { auditLedger } from './audit-ledger.ts'
import { endAllowanceSpendAlarms } from '../reading/allowance-spends.ts'
import { reconcileChain } from './reconcile.ts'

const AUDIT_MS = 5 * 60_000
const CLAIM_MS = AUDIT_MS

/** Reports something that an audit found. It is reported once; the alarm stays visible. */
class AuditError extends Error {
  override name = 'AuditError'
}

/** Proves every organisation's ledger and compares it with the chains, again and again until stopped, one server at a time. */
export function startAudits(needs: ScanNeeds, report: (cause: unknown) => void = () => {}): { stop(): Promise<void> } {
  const claim = claimRunner(needs, 'audit', CLAIM_MS)
  const audits = repeat(
    needs.ports.timer,
    AUDIT_MS,
    async (isStopped) => {
      if (!(await claim.held())) return
      for (const words of await auditAll(needs, isStopped)) report(new AuditError(words))
    },
    report,
  )
  return { stop: () => audits.stop().then(() => claim.release()) }
}

/** One audit of everything. Returns what is newly wrong, in words. */
export async function auditAll(needs: ScanNeeds, isStopped: () => boolean = () => false): Promise<string[]> {
  const told: string[] = []
  const organisations = await needs.db.asSystem((tx) => tx.selectFrom('organisation').select('id').where('state', '=', 'active').orderBy('id').execute())
  const failed = await forEachApart(organisations, async ({ id }) => {
    if (!isStopped()) told.push(...(await auditLedger(needs, id)))
  })
  const failedToo = await forEachApart(needs.networks.list(), async (network) => {
    told.push(...(await reconcileChain(needs, network, isStopped)))
    if (!isStopped()) await endAllowanceSpendAlarms(needs, network)
  })
  for (const cause of [...failed, ...failedToo]) told.push(`a part of the audit failed: ${cause instanceof Error ? cause.message : String(cause)}`)
  return told
}
